// Proves what no response may show: an exchange's values to a customer (A 1), and one account's values to another
// (D35). Every operation gets customers' requests over races for which an exchange and a reference book reported
// everything they can, and must respond as it does without them; it also gets requests from accounts with different
// rights within one second, and must respond to each as if it were alone. A new operation is covered as soon as it is
// declared.

import type { Endpoint } from '../../src/api/kernel/endpoint/endpoint';
import { exampleRun } from '../../src/api/operations/quality/audit-schema';
import { CUSTOMER_BOOKMAKER_KEYS } from '../../src/domain/bookmakers';
import { PLAN_IDS } from '../../src/plans/plans';
import { createStores } from '../../src/store/create-stores';
import { createReads } from '../../src/store/reads/reads';
import { NOW, startApi, type TestApi } from '../support/api/api';
import type { GivenApi } from '../support/api/given-api';
import { isWhole, requestFor, type Seeded, SHARED_OPERATIONS } from '../support/api/operation-requests';
import { BETSLIP, type Served, seedEverything, serve } from '../support/api/served';
import { addWithheld, removeWithheld, TRACES } from '../support/api/withheld-world';
import { addRace } from '../support/races/board';
import { feedRunner } from '../support/races/builders';

/** A customer's response, without the parts that differ in every response. */
interface Comparable {
  readonly status: number;
  readonly text: string;
  readonly headers: string;
}

/** Race ids are random: any four digits may occur in one. */
const RACE_IDS = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

let served: Served;
let seeded: Seeded;
let plans: ReadonlyMap<string, string>;
let operator: string;

beforeAll(async () => {
  served = await serve();
  seeded = await seedEverything(served.db);
  const keys = PLAN_IDS.map(async (plan) => [plan, await served.addKey({ plan })] as const);
  plans = new Map(await Promise.all(keys));
  operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
});
afterAll(() => served.stop());

/** An API with an empty cache. */
const another = (over: Partial<GivenApi> = {}): Promise<TestApi> => {
  const { keys, ingest, health, usage } = createStores(served.db.pool);
  return startApi({ reads: createReads(served.db.pool), keys, ingest, health, usage, ...over });
};

/** The requests of operations with a body or a path parameter. A missing one fails the first test. */
const SENT: Readonly<Record<string, { path: string; body?: object }>> = {
  run_audit: { path: '/v1/data-quality/audit/run' },
  audit_results: { path: `/v1/data-quality/audit/${exampleRun.id}/results` },
  race_clv: {
    path: '/v1/racing/clv',
    body: {
      bets: [
        {
          venue: 'Flemington',
          meeting_date: '2026-11-21',
          race_number: 3,
          runner_number: 1,
          price: 6,
          bookmaker: 'ladbrokes_au',
        },
        { venue: 'Flemington', meeting_date: '2026-11-21', race_number: 4, runner_number: 2, price: 2 },
        { venue: 'Flemington', meeting_date: '2026-11-21', race_number: 1, runner_number: 1, price: 6 },
      ],
    },
  },
  ingest_prices: { path: '/v1/ingest/betgold', body: { bookmaker_key: 'betgold', races: [] } },
  ingest_sport_prices: { path: '/v1/ingest/sports/neds', body: { bookmaker_key: 'neds', events: [] } },
};

/** Every value that a parameter may have, as far as its schema lists them: a new parameter adds its own requests. */
function searchesOf({ query = {} }: Endpoint): string[] {
  const searches = [''];
  for (const [name, schema] of Object.entries(query) as [string, Record<string, never>][]) {
    const { type, items, minimum, maximum } = schema as {
      type?: string;
      items?: object;
      minimum?: number;
      maximum?: number;
    };
    const { enum: values = [] } = (items ?? schema) as { enum?: unknown[] };
    if (type === 'boolean') searches.push(`${name}=true`);
    for (const value of values) searches.push(`${name}=${value}`);
    for (const bound of [minimum, maximum]) if (bound !== undefined) searches.push(`${name}=${bound}`);
    if (name === 'bookmakers')
      for (const key of [...CUSTOMER_BOOKMAKER_KEYS.slice(0, 4), CUSTOMER_BOOKMAKER_KEYS.join()])
        searches.push(`${name}=${key}`);
    if (name === 'date') searches.push(`${name}=${NOW.slice(0, 10)}`);
  }
  return searches;
}

/** `changes` takes an instant of the wall clock, which must be the same in every request. */
const paths = new Map<string, string>();
function pathOf(one: Endpoint, search: string): string {
  const request = `${one.operationId} ${search}`;
  if (!paths.has(request)) paths.set(request, requestFor(one, seeded, search));
  return paths.get(request)!;
}

async function respond(api: TestApi, one: Endpoint, search: string, key: string | undefined): Promise<Comparable> {
  const sent = SENT[one.operationId];
  const answer = isWhole(one)
    ? await api.get(pathOf(one, search), key)
    : await api.send(one.method.toUpperCase(), sent!.path, {
        key,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(sent!.body),
      });
  const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name));
  const text = answer.text.replace(/"request_id":"[^"]*"/, '').replace(/"server_time":"[^"]*"/, '');
  return { status: answer.status, text, headers: JSON.stringify(headers.filter(([name]) => name !== 'etag')) };
}

/**
 * Every operation on every plan: without parameters, and with each of its parameters on the lowest and the highest
 * plan.
 */
async function requestAll(): Promise<Map<string, Comparable>> {
  const api = await another();
  const responses = new Map<string, Comparable>();
  for (const one of SHARED_OPERATIONS) {
    for (const [plan, key] of plans) {
      const all = plan === 'free' || plan === 'enterprise';
      for (const search of all ? searchesOf(one) : [''])
        responses.set(
          `${one.operationId} ${search} on ${plan}`,
          await respond(api, one, search, one.auth === 'none' ? undefined : key),
        );
      if (one.auth === 'none') break;
    }
  }
  await api.close();
  return responses;
}

test('every operation has a request', () => {
  const missing = SHARED_OPERATIONS.filter((one) => !isWhole(one) && !(one.operationId in SENT)).map(
    (one) => one.operationId,
  );
  expect(missing).toEqual([]);
});

describe('accounts with different rights, within one second (D35)', () => {
  const ACCOUNTS = [
    { plan: 'free' },
    { plan: 'standard', issuedAt: '2026-09-01T00:00:00.000Z' },
    { plan: 'standard' },
    { plan: 'plus' },
    { plan: 'business' },
  ];
  const KEYED = SHARED_OPERATIONS.filter(({ auth }) => auth !== 'none');
  /** Their responses reveal a right: betslip links, and how far ahead the races of a day are searched. */
  const SHOWING = ['racing_best_odds', 'racing_changes', 'next_to_go', 'race_events'];
  let keys: string[];
  let alone: TestApi[];
  let upwards: TestApi;
  let downwards: TestApi;

  beforeAll(async () => {
    const late = { country: 'US', venue: 'Santa Anita', startTime: '2026-11-22T05:00:00.000Z' };
    await addRace(served.db.pool, late, { tab: { runners: [feedRunner(1, { win: 2 }), feedRunner(2, { win: 3 })] } });
    keys = await Promise.all(ACCOUNTS.map((one) => served.addKey(one)));
    const cached = { responsesCachedMs: 60_000, betslipTemplates: BETSLIP };
    alone = await Promise.all(keys.map(() => another(cached)));
    [upwards, downwards] = [await another(cached), await another(cached)];
  });
  afterAll(async () => {
    for (const api of [...alone, upwards, downwards]) await api.close();
  });

  /** A response that was computed for an earlier request states so. */
  const asked = async (api: TestApi, one: Endpoint, search: string, key: string): Promise<Comparable> => {
    const { text, ...rest } = await respond(api, one, search, key);
    return { ...rest, text: text.replaceAll(/"cached":(true|false)/g, '') };
  };

  test.each(KEYED.map((one) => [one.operationId, one] as const))(
    '%s responds to each as if it were alone, in both orders',
    async (operationId, one) => {
      const shown = new Set<string>();
      for (const search of 'date' in (one.query ?? {}) ? ['', `date=${NOW.slice(0, 10)}`] : ['']) {
        const expected: Comparable[] = [];
        for (const [i, key] of keys.entries()) expected.push(await asked(alone[i]!, one, search, key));
        const up: Comparable[] = [];
        for (const key of keys) up.push(await asked(upwards, one, search, key));
        expect(up).toEqual(expected);
        const down: Comparable[] = [];
        for (const key of keys.toReversed()) down.push(await asked(downwards, one, search, key));
        expect(down).toEqual(expected.toReversed());
        for (const { status, text } of expected) if (status === 200) shown.add(`${search} ${text}`);
      }
      if (SHOWING.includes(operationId)) expect(shown.size).toBeGreaterThan('date' in (one.query ?? {}) ? 2 : 1);
    },
  );
});

describe('with every report that an exchange and a reference book can make', () => {
  let without: Map<string, Comparable>;
  let exposed: Map<string, Comparable>;
  beforeAll(async () => {
    await removeWithheld(served.db.pool);
    without = await requestAll();
    await addWithheld(served.db.pool, NOW);
    exposed = await requestAll();
  });

  test('the archive has rows of both', async () => {
    for (const table of ['withheld_closing_lines', 'withheld_price_paths'])
      expect((await served.db.pool.query(`SELECT FROM ${table}`)).rowCount).toBeGreaterThan(0);
  });

  test('an operator sees all of them (D14)', async () => {
    const get = async (path: string) => (await served.api.get(`/v1/racing/${path}`, operator)).body;
    const [next] = await get('next-to-go');
    const books = next.runners[0].bookmakers.map((quote: { key: string }) => quote.key);
    expect(books).toEqual(expect.arrayContaining(['betfair_ex_au', 'pinnacle']));
    const state = { market_state_source: 'betfair_ex_au', inplay_at: NOW, market_closed_at: NOW };
    expect(next).toMatchObject(state);
    expect((await get('events'))[0]).toMatchObject({ ...state, market_status: 'CLOSED', inplay: true });
    expect((await get('results?status=final'))[0]).toMatchObject(state);
    const [race] = await get('best-odds?bookmakers=betfair_ex_au');
    expect(race.runners[0].best_win).toMatchObject({ bookmaker: 'betfair_ex_au', price: 7713.5 });
  });

  test('an operator’s cached response is never served to a customer', async () => {
    const path = '/v1/racing/best-odds?num_races=7';
    expect((await served.api.get(path, operator)).text).toMatch(TRACES[0]!);
    expect((await served.api.get(path, plans.get('enterprise'))).text).not.toMatch(TRACES[0]!);
  });

  test.each(SHARED_OPERATIONS.map((one) => [one.operationId, one] as const))(
    '%s has a response of some length',
    (operationId, one) => {
      const answer = exposed.get(`${operationId}  on ${one.auth === 'none' ? 'free' : 'enterprise'}`)!;
      expect(answer.status).toBe(one.auth === 'internal' ? 403 : 200);
      expect(answer.text.length).toBeGreaterThan(100);
    },
  );

  test.each(SHARED_OPERATIONS.map((one) => [one.operationId]))(
    '%s shows no trace of them to any plan',
    (operationId) => {
      const responses = [...exposed].filter(([request]) => request.startsWith(`${operationId} `));
      expect(responses.length).toBeGreaterThan(0);
      const traces = responses.flatMap(([request, { text, headers }]) => {
        const shown = text.replace(RACE_IDS, '');
        return TRACES.filter((trace) => trace.test(shown) || trace.test(headers)).map(
          (trace) => `${request}: ${trace}`,
        );
      });
      expect(traces).toEqual([]);
    },
  );

  test.each(SHARED_OPERATIONS.map((one) => [one.operationId]))('%s responds as it does without them', (operationId) => {
    for (const [request, answer] of exposed) {
      if (request.startsWith(`${operationId} `))
        expect({ request, ...answer }).toEqual({ request, ...without.get(request) });
    }
  });
});
