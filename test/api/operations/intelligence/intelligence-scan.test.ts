// A 4.6: which races are scanned, which runners are returned and in what order, and who shares a response.

import type { ListedRace } from '../../../../src/domain/race/feed-race';
import { createStores } from '../../../../src/store/create-stores';
import { createReads } from '../../../../src/store/reads/reads';
import { createRedis } from '../../../../src/store/redis/redis';
import { createSharedAnswers } from '../../../../src/store/redis/shared-answers';
import { startApi } from '../../../support/api/api';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { PATIENT_MS } from '../../../support/patient';
import { polledRace, type TimedQuotes } from '../../../support/races/polled-race';

const HERE = '/v1/racing/intelligence/scan';
const NOW = Date.parse('2026-11-21T03:00:00.000Z');
const BOOKS = ['tab', 'neds', 'unibet'];
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();

let served: Served;
let plus: string;
let operator: string;
const ids: Record<string, string> = {};

/** A race `minutes` from now in which these books moved runner 1 from 10 to `to`, `ago` seconds ago. */
async function race(
  name: string,
  minutes: number,
  to: number,
  { books = BOOKS, ago = 400, ...over }: Partial<ListedRace> & { books?: readonly string[]; ago?: number } = {},
): Promise<void> {
  const seconds = minutes * 60;
  const quotes: TimedQuotes[] = [
    [3590, 10, 2, 2.2],
    [seconds + ago, to, 2, 2.2],
    [seconds + 3, to, 2, 2.2],
  ];
  const polled = quotes.filter(([one], i) => one >= seconds && (i !== 1 || one < 3590));
  const listed = { venue: `Track ${name}`, startTime: at(minutes), ...over };
  ids[name] = (await polledRace(served.db.pool, listed, Object.fromEntries(books.map((key) => [key, polled])))).raceId;
}

beforeAll(async () => {
  served = await serve();
  plus = await served.addKey({ plan: 'plus' });
  operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
  await race('firm', 20, 8);
  await race('drift', 25, 13, { category: 'greyhound' });
  await race('small', 12, 9.6);
  await race('twin b', 40, 9, { country: 'NZ' });
  await race('twin a', 40, 9, { country: 'NZ', raceNumber: 2 });
  await race('unresolved', 30, 6, { country: null });
  await race('two books', 22, 5, { books: ['tab', 'neds'] });
  await race('late', 8, 8.5, { category: 'harness', ago: 120 });
  await race('far', 61, 5);
  await race('jumped', -1, 5);
  await race('exchange', 35, 4, { books: ['betfair_ex_au', 'tab'] });
});
afterAll(() => served.stop());

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came back.
type Row = any;
async function scan(query = '', key = plus) {
  const answer = await served.api.get(`${HERE}?${query}`, key);
  expect(answer.status).toBe(200);
  expectConforms('intelligence_scan', answer.body);
  return answer.body;
}
const named = ({ results }: { results: Row[] }) =>
  results.map(({ race: { race_id }, number }) => `${Object.keys(ids).find((name) => ids[name] === race_id)} ${number}`);
/** Runner 1 of each race among the runners returned: the one whose price the fixture moves. */
const first = (body: { results: Row[] }) => named(body).filter((name) => name.endsWith(' 1'));

test('below Plus it is a free 403 that names the plan', async () => {
  for (const plan of ['free', 'hobby', 'standard'] as const) {
    const { status, body } = await served.api.get(HERE, await served.addKey({ plan }));
    expect({ status, ...body }).toMatchObject({
      status: 403,
      code: 'plan_required',
      required_plan: 'plus',
      upgrade_url: 'https://api.example.com/account',
    });
  }
});

test('the largest move comes first, ties by start and race, over every race of the window that has not jumped', async () => {
  const body = await scan();
  const twins = ['twin a', 'twin b'].sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1)).map((name) => `${name} 1`);
  expect(first(body)).toEqual(['unresolved 1', 'drift 1', 'firm 1', 'late 1', ...twins]);
  expect(body).toMatchObject({ as_of: at(0), window_minutes: 60, races_scanned: 9 });
  const sizes = body.results.map(({ move_pct }: Row) => Math.abs(move_pct));
  expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  for (const row of body.results) expect(row.move_pct).toBe(row.move_from_t60_pct);
});

test('the window includes a race that starts in exactly 60 minutes, and none a millisecond later (D24)', async () => {
  await race('at the hour', 60, 8, { country: 'SG' });
  await race('past it', 60 + 1 / 60_000, 8, { country: 'SG' });
  expect((await scan('country=SG')).races_scanned).toBe(1);
});

test('each runner has the figures of the single-race endpoint', async () => {
  const [row] = (await scan('limit=1')).results;
  const one = (await served.api.get(`/v1/racing/intelligence?race_id=${row.race.race_id}`, plus)).body;
  const { race, move_pct, ...figures } = row;
  expect(one.runners.find((runner: Row) => runner.number === figures.number)).toEqual(figures);
  const { refresh_tier, status, as_of, ...head } = one.race;
  expect(race).toEqual(head);
  expect(move_pct).toBe(figures.move_from_t60_pct);
});

test.each([
  ['direction=drifting', ['drift 1']],
  ['direction=firming&country=AU', ['firm 1', 'late 1']],
  ['country=nz', ['twin a 1', 'twin b 1']],
  ['categories=greyhound', ['drift 1']],
  ['category=harness', ['late 1']],
  ['signal=strong_drift', ['drift 1']],
  ['signal=strong_drift,steady', ['drift 1']],
  ['signal=firm&country=NZ', ['twin a 1', 'twin b 1']],
  ['min_move_pct=1&country=AU&categories=horse', ['firm 1', 'small 1']],
  ['min_books=2&country=AU&categories=horse', ['two books 1', 'firm 1']],
  ['min_books=4', []],
  ['window=15m', ['late 1']],
  ['window=5m', ['late 1']],
  ['window=5m&direction=drifting', []],
])('%s', async (query, expected) => {
  expect(first(await scan(query)).sort()).toEqual([...expected].sort());
});

test('a shorter window filters by its own move', async () => {
  const move = async (window: string) => (await scan(`window=${window}&category=harness`)).results[0];
  const { move_from_t15_pct } = await move('15m');
  expect(move_from_t15_pct).toBeLessThan(-7);
  expect((await move('15m')).move_pct).toBe(move_from_t15_pct);
  const late = await move('5m');
  expect(late.move_pct).toBe(late.move_last_5m_pct);
});

test('the filters are echoed, including defaults', async () => {
  expect((await scan()).filters).toEqual({
    window: '60m',
    min_move_pct: 7,
    min_books: 3,
    direction: null,
    signal: null,
    country: null,
    categories: null,
    limit: 50,
  });
  const more =
    'window=5m&min_move_pct=2.5&min_books=1&direction=firming&signal=steady,firm&country=AU,NZ&category=horse&limit=3';
  expect((await scan(more)).filters).toEqual({
    window: '5m',
    min_move_pct: 2.5,
    min_books: 1,
    direction: 'firming',
    signal: ['firm', 'steady'],
    country: ['AU', 'NZ'],
    categories: ['horse'],
    limit: 3,
  });
});

test.each(['window=30m', 'direction=up', 'signal=boom', 'min_move_pct=0.9', 'min_books=0', 'limit=201', 'hours=1'])(
  '%s is a free 422',
  async (query) => expect((await served.api.get(`${HERE}?${query}`, plus)).status).toBe(422),
);

test('only operators receive an exchange’s move', async () => {
  expect(named(await scan('min_books=1&min_move_pct=1'))).not.toContain('exchange 1');
  expect(named(await scan('min_books=1&min_move_pct=1', operator))).toContain('exchange 1');
  expect(JSON.stringify(await scan('min_books=1&min_move_pct=1'))).not.toContain('betfair');
});

describe('shared for 15 seconds', () => {
  afterEach(() => {
    served.api.now = NOW;
  });

  test('by all requests with the same filters, in any spelling', async () => {
    const computed = await scan('country=NZ,AU&signal=firm,steady&min_move_pct=6');
    expect(computed.cached).toBe(false);
    const again = await scan('signal=steady,firm&min_move_pct=6.0&country=AU,NZ');
    expect(again).toEqual({ ...computed, cached: true });
    expect((await scan('country=NZ&signal=firm,steady&min_move_pct=6')).cached).toBe(false);
  });

  test('and not a second longer', async () => {
    const computed = await scan('min_move_pct=5.5');
    served.api.now = NOW + 14_000;
    expect(await scan('min_move_pct=5.5')).toMatchObject({ as_of: computed.as_of, cached: true });
    served.api.now = NOW + 15_000;
    expect(await scan('min_move_pct=5.5')).toMatchObject({ as_of: at(0.25), cached: false });
  });

  test('by every process, and computed once for any number of concurrent requests', async () => {
    let boards = 0;
    const reads = createReads(served.db.pool);
    const counting = { ...reads, board: (query: never) => reads.board(query).finally(() => boards++) };
    const others = await Promise.all(
      [1, 2].map(async () => {
        const redis = createRedis(process.env.REDIS_URL!, PATIENT_MS);
        const sharedAnswers = createSharedAnswers(redis, served.db.url, { leadMs: 60_000 });
        return { redis, ...(await startApi({ ...createStores(served.db.pool), reads: counting, sharedAnswers })) };
      }),
    );
    const request = (i: number) => others[i % 2]!.get(`${HERE}?min_move_pct=4.5`, plus);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => request(i)));
    expect(answers.map(({ status }) => status)).toEqual(new Array(8).fill(200));
    expect(boards).toBe(1);
    expect(answers.filter(({ body }) => !body.cached)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.results))).size).toBe(1);
    for (const { redis, close } of others) {
      await close();
      redis.disconnect();
    }
  });
});
