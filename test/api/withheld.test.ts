// The proof that no exchange value leaves (A 1): every operation is asked with a customer's key, over races of which an exchange and a
// reference book have said all they can, and must answer what it answers without them. Covers an operation as soon as it is declared.
import type { Endpoint } from '../../src/api/endpoint';
import { ENDPOINTS } from '../../src/api/endpoints';
import { CUSTOMER_BOOKMAKER_KEYS } from '../../src/domain/bookmakers';
import { PLAN_IDS } from '../../src/plans/plans';
import { createStores } from '../../src/store/create-stores';
import { createReads } from '../../src/store/reads/reads';
import { NOW, startApi, type TestApi } from '../support/api/api';
import { asking, type Seeded } from '../support/api/operation-requests';
import { type Served, seedEverything, serve } from '../support/api/served';
import { putThere, TRACES, takeAway } from '../support/api/withheld-world';

/** What a customer is told, with what its headers say but for the name of the request. */
interface Told {
  readonly status: number;
  readonly text: string;
  readonly headers: string;
}

/** Drawn by lot, so that any four digits may be in one. */
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

/** An API that holds nothing of what was answered before. */
const another = (): Promise<TestApi> => {
  const { keys, ingest, health } = createStores(served.db.pool);
  return startApi({ reads: createReads(served.db.pool), keys, ingest, health });
};

/** Of an operation that is posted to, or has a name in its path: what is sent. One that is not here fails the first test. */
const SENT: Readonly<Record<string, { path: string; body: object }>> = {
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
};

const plain = ({ method, path }: Endpoint): boolean => method === 'get' && !path.includes('{');

/** Every value that a parameter may take, as far as its schema says: an operation grows its own questions. */
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

/** `changes` asks since an instant of the wall: the same one throughout. */
const paths = new Map<string, string>();
function pathOf(one: Endpoint, search: string): string {
  const question = `${one.operationId} ${search}`;
  if (!paths.has(question)) paths.set(question, asking(one, seeded, search));
  return paths.get(question)!;
}

async function tell(api: TestApi, one: Endpoint, search: string, key: string | undefined): Promise<Told> {
  const sent = SENT[one.operationId];
  const answer = plain(one)
    ? await api.get(pathOf(one, search), key)
    : await api.send(one.method.toUpperCase(), sent!.path, {
        key,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(sent!.body),
      });
  const said = [...answer.headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name));
  const text = answer.text.replace(/"request_id":"[^"]*"/, '').replace(/"server_time":"[^"]*"/, '');
  return { status: answer.status, text, headers: JSON.stringify(said.filter(([name]) => name !== 'etag')) };
}

/** Every question of every operation: with each plan as it is, with the two ends of the plan table in all its forms. */
async function askAll(): Promise<Map<string, Told>> {
  const api = await another();
  const told = new Map<string, Told>();
  for (const one of ENDPOINTS) {
    for (const [plan, key] of plans) {
      const all = plan === 'free' || plan === 'enterprise';
      for (const search of all ? searchesOf(one) : [''])
        told.set(
          `${one.operationId} ${search} on ${plan}`,
          await tell(api, one, search, one.auth === 'none' ? undefined : key),
        );
      if (one.auth === 'none') break;
    }
  }
  await api.close();
  return told;
}

test('every operation can be asked', () => {
  const unasked = ENDPOINTS.filter((one) => !plain(one) && !(one.operationId in SENT)).map((one) => one.operationId);
  expect(unasked).toEqual([]);
});

describe('with an exchange and a reference book that have said all they can', () => {
  let without: Map<string, Told>;
  let told: Map<string, Told>;
  beforeAll(async () => {
    await takeAway(served.db.pool);
    without = await askAll();
    await putThere(served.db.pool, NOW);
    told = await askAll();
  });

  test('an operator sees all of it (D14)', async () => {
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

  test('what an operator was told is not held for a customer', async () => {
    const path = '/v1/racing/best-odds?num_races=7';
    expect((await served.api.get(path, operator)).text).toMatch(TRACES[0]!);
    expect((await served.api.get(path, plans.get('enterprise'))).text).not.toMatch(TRACES[0]!);
  });

  test.each(ENDPOINTS.map((one) => [one.operationId, one] as const))('%s has something to say', (operationId, one) => {
    const answer = told.get(`${operationId}  on ${one.auth === 'none' ? 'free' : 'enterprise'}`)!;
    expect(answer.status).toBe(one.auth === 'internal' ? 403 : 200);
    expect(answer.text.length).toBeGreaterThan(100);
  });

  test.each(ENDPOINTS.map((one) => [one.operationId]))('%s shows no trace of them to any plan', (operationId) => {
    const asked = [...told].filter(([question]) => question.startsWith(`${operationId} `));
    expect(asked.length).toBeGreaterThan(0);
    const traces = asked.flatMap(([question, { text, headers }]) => {
      const said = text.replace(RACE_IDS, '');
      return TRACES.filter((trace) => trace.test(said) || trace.test(headers)).map((trace) => `${question}: ${trace}`);
    });
    expect(traces).toEqual([]);
  });

  test.each(ENDPOINTS.map((one) => [one.operationId]))('%s says what it says without them', (operationId) => {
    for (const [question, answer] of told) {
      if (question.startsWith(`${operationId} `))
        expect({ question, ...answer }).toEqual({ question, ...without.get(question) });
    }
  });
});
