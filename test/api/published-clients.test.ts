// The clients that the owner of the reference publishes work against this API unchanged: every public method with every
// parameter, what the packages build on the responses, and the costs that they state. Where Python or PyPI is missing,
// these tests count as skipped.
import { createBilling } from '../../src/accounts/billing/billing';
import { billingStores } from '../../src/accounts/billing/deps';
import { createCharger } from '../../src/api/kernel/charging/charger';
import type { Endpoint } from '../../src/api/kernel/endpoint/endpoint';
import { ENDPOINTS } from '../../src/api/operations';
import { createStores } from '../../src/store/create-stores';
import { BASE_URL, NOW } from '../support/api/api';
import { expectConforms } from '../support/api/conforms';
import type { Seeded } from '../support/api/operation-requests';
import { type Served, seedEverything, serve } from '../support/api/served';
import { installPublished, type Noted, type NotingLine, notingLine, runPublished } from '../support/clients/published';
import { addRace } from '../support/races/board';
import { feedField } from '../support/races/builders';
import { match, pusherOf, spreads } from '../support/sports/push';
import { type StripeServer, startStripe } from '../support/stripe/server';
import { stripePayments } from '../support/stripe/shop';

/** One call of a method, as its program wrote it. */
interface Called {
  readonly name: string;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
  /** What the client made of a refusal. */
  readonly error?: string;
  readonly message?: string;
  readonly detail?: string;
}

interface ToolCalled extends Called {
  readonly about: string;
  readonly credits_cost?: string;
  readonly credits_remaining?: string;
}

/** Methods of operations that the contract leaves out, and their status: these and no others are refused. */
const OUTSIDE: Readonly<Record<string, number>> = {
  // Retired (A 4.13).
  arb_racing: 410,
  value_promos: 410,
  // In no list of operations (A 4).
  popular_markets: 404,
};

const DAY = '2026-11-21';

/** Every value that the clients' texts name, by parameter. Where a parameter is required, its first one is sent. */
const valuesOf = ({ next, final }: Seeded): Readonly<Record<string, readonly unknown[]>> => ({
  sport_key: ['nrl'],
  sport: ['nrl'],
  competition: ['NRL'],
  markets: ['h2h', 'spreads', 'totals', 'h2h,spreads,totals'],
  odds_format: ['decimal', 'american'],
  max_age_minutes: [360, 1440],
  // The last one of each is what the library makes of a `datetime`.
  date_from: ['2026-11-20', '2026-11-20T00:00:00Z', '2026-11-20 11:00:00.000001+11:00'],
  date_to: [DAY, '2026-11-21T03:00:00+00:00', '2026-11-21 03:00:00+00:00'],
  categories: ['horse', 'horse,greyhound,harness'],
  category: ['horse', 'greyhound', 'harness'],
  country: ['AU', 'AU,NZ', 'GB,IE'],
  venue: ['Flemington', 'FLEMINGTON'],
  bookmakers: ['tab', 'tab,ladbrokes_au', 'TAB', 'ladbrokes_uk,williamhill,betway_uk'],
  num_races: [5, 200],
  include_unresolved: [true, false],
  include_points: [false, true],
  resulted_only: [false, true],
  hours_ahead: [12],
  hours_back: [24, 48],
  days: [7, 30],
  min_profit_pct: [0],
  direction: ['firming', 'drifting'],
  min_move_pct: [1],
  min_books: [1],
  max_mins_to_jump: [60],
  limit: [5],
  offset: [0],
  // On the database's clock, which also stamps what was just written.
  since: [new Date(Date.now() - 25 * 60_000).toISOString()],
  date: [DAY],
  meeting_date: [DAY],
  status: ['final', 'interim', 'abandoned'],
  race_id: [next],
  race_number: [1],
  bets: [
    [
      { race_id: final, runner_number: 1, price: 6, stake: 2, bookmaker: 'ladbrokes_au', ref: 'mine' },
      { venue: 'Flemington', meeting_date: DAY, race_number: 3, runner_name: 'Plain Sailing', price: 2.5 },
      { race_id: final, runner_ref: 'ra:1', price: 3 },
    ],
  ],
  reference: ['best', 'median'],
  horse: ['Gold Trip', 'GOLD TRIP', 'pe:goldtrip', 'ra:1002'],
  dog: ['Quick Sixpence', 'grv:531882'],
  by: ['track', 'distance', 'box', 'track,distance', 'track,distance,box'],
  name: ['a'],
  state: ['AUS', 'VIC'],
  scope: ['all', 'metro', 'provincial', 'country', 'picnic'],
  season: ['current', 'previous'],
  dataset: ['closing_lines'],
  // Of retired operations.
  ...{ min_edge_pct: [1], verify: [true], book: ['tab'], type: ['bonus'], min_ev: [1] },
});

/** Values of one method. */
const ownOf = ({ final }: Seeded): Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> => ({
  racing_best_odds: { num_races: [5, 150] },
  racing_price_history: { bookmakers: ['tab'] },
  racing_acceptances: { date: ['2026-11-18', DAY, '2026-11-24'] },
  racing_track_conditions: { date: ['2026-11-14', DAY] },
  racing_markets: { ...{ race_id: [final], race_number: [3] }, markets: ['win,place,top2,top3,top4,exotics', 'win'] },
  racing_closing_lines: { race_id: [final] },
});

const RACE = ['venue', 'meeting_date', 'race_number'];
/** Parameters that belong together, for each way to call a method. */
const NEEDS = {
  racing_markets: [['race_id'], RACE],
  racing_price_history: [['race_id'], ['venue', 'date', 'race_number']],
  racing_movers: [['min_move_pct', 'min_books']],
};

const installed = installPublished();
const why = installed.lacks ? ` (skipped: ${installed.lacks})` : '';

(installed.lacks ? describe.skip : describe)(`published clients${why}`, () => {
  let served: Served;
  let stripe: StripeServer;
  let line: NotingLine;
  let given: object;

  beforeAll(async () => {
    stripe = await startStripe(Date.parse(NOW));
    const payments = stripePayments(stripe);
    served = await serve(({ pool }) => {
      const stores = createStores(pool);
      const wallMs = () => Date.parse(NOW);
      const log = { warn: () => {} };
      const billing = createBilling({ payments, ...billingStores(stores, wallMs), log, baseUrl: BASE_URL, wallMs });
      return { billing, charger: createCharger(stores.credits) };
    });
    const seeded = await seedEverything(served.db);
    await addArbitrage(served);
    line = await notingLine(served.api.url);
    given = { url: line.url, values: valuesOf(seeded), own: ownOf(seeded), needs: NEEDS };
  });
  afterAll(async () => {
    await line?.close();
    await served?.stop();
    await stripe?.close();
  });

  const run = async (program: string, keys: object) => {
    line.noted.length = 0;
    return runPublished(installed.python!, program, { ...given, keys });
  };

  test('the Python library: every method, its scanner, its conditional requests and its errors', async () => {
    const keys = { key: await served.addKey({ plan: 'platform' }), free: await served.addKey({ plan: 'free' }) };
    const { calls, rotated, scan, ...more } = await run('library.py', keys);
    expect(expectAnswered(calls, line.noted, OUTSIDE)).toBe(18);
    expect(rotated).toMatchObject({ source: 'rotate_key() response', data: { key_version: 2 } });
    const kinds = ['LINES_BACK_BACK', 'RACING_BACK_BACK', 'SPORTS_BACK_BACK'];
    expect(scan).toEqual({ problems: [], kinds, stakes: true, spent: 10, charged: 10 });
    expect(more).toEqual({
      unchanged: { same: true, remembered: true, charged: 1 },
      refused: [
        ['AuthenticationError', expect.stringMatching(/^401 Unauthorized: The key in X-API-Key is malformed/)],
        ['AuthenticationError', expect.stringMatching(/^403 Forbidden: The Free plan of this key does not include/)],
        ['NotFoundError', expect.stringMatching(/^404 Not Found: There is no sport 'curling'/)],
        ['PuntersEdgeError', expect.stringMatching(/^422 Unprocessable Entity: markets must be one or more of h2h/)],
      ],
      missing: [],
    });
  });

  test('the MCP server: every tool, at the cost that its description states', async () => {
    const calls: ToolCalled[] = await run('mcp_server.py', { key: await served.addKey({ plan: 'platform' }) });
    expect(expectAnswered(calls, line.noted)).toBe(31);
    const first = [...new Map([...calls].reverse().map((one) => [one.name, one])).values()];
    const costs = first.map(({ name, about, credits_cost: cost = '0' }) => {
      const [, stated] = /COST: (free|\d+(?= credit))/i.exec(about) ?? [];
      return { name, stated: stated === 'free' ? '0' : stated, cost };
    });
    expect(costs).toEqual(costs.map(({ name, stated }) => ({ name, stated, cost: stated })));
    const priced = calls.filter((one) => one.credits_cost);
    expect(priced.every((one) => Number(one.credits_remaining) > 0)).toBe(true);
  });
});

/**
 * Each call is one request, answered as its operation declares, or refused as stated in `outside`. Returns how many
 * methods were answered.
 */
function expectAnswered(
  calls: readonly Called[],
  noted: readonly Noted[],
  outside: Readonly<Record<string, number>> = {},
): number {
  const all = calls.map((call, i) => ({ ...call, request: noted[i]! }));
  const surprising = all
    .filter(({ name, error, request }) => request.status !== (outside[name] ?? 200) || name in outside !== !!error)
    .map(({ name, sent, request, message, detail }) => [name, sent, request.status, message ?? detail]);
  expect(surprising).toEqual([]);
  expect(namesOf(all.filter(({ error }) => error))).toEqual(Object.keys(outside).sort());
  const answered = all.filter(({ error }) => !error);
  for (const { request, data } of answered) expectConforms(operationAt(request), data);
  // An empty list conforms to everything.
  const filled = answered.filter(({ data }) => !Array.isArray(data) || data.length > 0);
  expect(namesOf(filled)).toEqual(namesOf(answered));
  return namesOf(answered).length;
}

const namesOf = (calls: readonly Called[]): string[] => [...new Set(calls.map(({ name }) => name))].sort();

function operationAt({ method, path }: Noted): string {
  const fits = (one: Endpoint) =>
    one.method.toUpperCase() === method && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const found = ENDPOINTS.find(fits);
  if (!found) throw new Error(`no operation at ${method} ${path}`);
  return found.operationId;
}

/** A match, its line and a race on which two books beat the field. */
async function addArbitrage(served: Served): Promise<void> {
  const push = pusherOf(served, await served.addKey({ role: 'internal', plan: 'enterprise' }));
  const even = match([2.06, 1.8]);
  const [home, away] = [even.home_team, even.away_team];
  await push('neds', [{ ...even, markets: [...even.markets, spreads(home, away, -2.5, [2.15, 1.8])] }], NOW);
  const startTime = '2026-11-21T03:40:00.000Z';
  const books = { tab: { runners: feedField(2.2, 1.8) }, ladbrokes_au: { runners: feedField(1.8, 2.2) } };
  await addRace(served.db.pool, { raceNumber: 9, startTime }, books);
}
