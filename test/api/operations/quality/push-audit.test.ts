// Audits of pushes on arrival, over the real API and database: they find nothing in the simulator's pushes of races and
// matches, and one push is enough to find a mapper that reads pushes wrongly. The faults are planted between the mapper
// and the store.
import { setTimeout as delay } from 'node:timers/promises';
import { swapped } from '../../../../src/domain/sports/read-market';
import type { MarketPrices } from '../../../../src/domain/sports/sports';
import { REAL_TIME } from '../../../../src/domain/time/clock';
import { startPusher } from '../../../../src/simulator/push/pusher';
import { startSportsPusher } from '../../../../src/simulator/push/sports-pusher';
import { SPORT_BOOKS_PLAYED } from '../../../../src/simulator/sports/sport-books';
import { createWorld } from '../../../../src/simulator/world/world';
import { createStores } from '../../../../src/store/create-stores';
import type { PushedRace } from '../../../../src/store/ingest';
import { type Served, serve } from '../../../support/api/served';
import { PATIENT_MS } from '../../../support/patient';
import { h2h, match, pusherOf, spreads, totals } from '../../../support/sports/push';

let served: Served;
let operator: string;
let readMarketAs = (prices: MarketPrices): MarketPrices => prices;
let readRunnerAs = (runner: PushedRace['runners'][number]): PushedRace['runners'][number] => runner;
const warned: string[] = [];

beforeAll(async () => {
  // Every push is sampled: the wall clock advances by more than the time between two samples.
  let wallMs = Date.now();
  served = await serve((db) => {
    const { ingest, sportIngest, audits } = createStores(db.pool);
    return {
      wallMs: () => {
        wallMs += 3_600_000;
        return wallMs;
      },
      pushAudits: { audits, warn: (err, message) => void warned.push(`${message}: ${err}`) },
      ingest: {
        ...ingest,
        push: (book, races, at) =>
          ingest.push(
            book,
            races.map((race) => ({ ...race, runners: race.runners.map(readRunnerAs) })),
            at,
          ),
      },
      sportIngest: {
        push: (push, at) => {
          const marketsOf = (event: (typeof push.events)[number]) =>
            event.markets.map((one) => ({ ...one, prices: readMarketAs(one.prices) }));
          const events = push.events.map((event) => ({ ...event, markets: marketsOf(event) }));
          return sportIngest.push({ ...push, events }, at);
        },
      },
    };
  });
  operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
});
afterAll(() => served.stop());
afterEach(() => {
  readMarketAs = (prices) => prices;
  readRunnerAs = (runner) => runner;
  expect(warned).toEqual([]);
});

interface Check {
  readonly bookmakerKey: string;
  readonly sportKey: string;
  readonly figures: { readonly apiRows: number; readonly exactMatches: number };
  readonly findings: readonly { readonly status: string; readonly market: string; readonly message: string }[];
}
const checks = async (): Promise<Check[]> =>
  (
    await served.db.pool.query(
      'SELECT bookmaker_key AS "bookmakerKey", sport_key AS "sportKey", figures, findings FROM quality_push_checks ORDER BY 1, 2',
    )
  ).rows;
const checkOf = async (book: string, sport: string) =>
  (await checks()).find((one) => one.bookmakerKey === book && one.sportKey === sport);

const keysOf = async (books: readonly string[]): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(
      books.map(async (key) => [key, await served.addKey({ role: 'pusher', bookmakerKey: key })] as const),
    ),
  );

const SILENT = { info: () => undefined, warn: () => undefined } as never;

async function until(isThere: () => Promise<boolean>): Promise<void> {
  while (!(await isThere())) await delay(50);
}

/** Time passes only when the clock is read, so no push grows old in transit, however long that takes. */
const passing = (): number => {
  served.api.now += 2000;
  return served.api.now;
};
const FAST = { ...REAL_TIME, speed: 20 };

test('the simulator’s pushes of races and of matches are served as pushed', async () => {
  const sportBooks = SPORT_BOOKS_PLAYED.map(({ key }) => key);
  const races = startPusher({
    worldOf: () => createWorld({ seed: 'a' }),
    now: passing,
    clock: FAST,
    patienceMs: PATIENT_MS,
    target: { url: served.api.url, keys: await keysOf(['boostbet', 'betgold']) },
    log: SILENT,
  });
  const sports = startSportsPusher({
    target: { url: served.api.url, keys: await keysOf(sportBooks) },
    now: passing,
    clock: FAST,
    seed: 'a',
    log: SILENT,
    patienceMs: PATIENT_MS,
  });
  try {
    await until(async () => {
      const found = await checks();
      const has = (book: string, isSports: boolean) =>
        found.some((one) => one.bookmakerKey === book && (one.sportKey === 'sports') === isSports);
      return ['boostbet', 'betgold'].every((book) => has(book, false)) && sportBooks.every((book) => has(book, true));
    });
  } finally {
    await Promise.all([races.stop(), sports.stop()]);
  }
  for (const { bookmakerKey, figures, findings } of await checks()) {
    expect([bookmakerKey, findings]).toEqual([bookmakerKey, []]);
    expect(figures.exactMatches).toBe(figures.apiRows);
    expect(figures.apiRows).toBeGreaterThan(0);
  }
});

const NAMES = { home_team: 'Brisbane Broncos', away_team: 'Melbourne Storm' };
const [HOME, AWAY] = [NAMES.home_team, NAMES.away_team];

test.each([
  ['sides turned', swapped, ['h2h', 'spreads', 'totals']],
  [
    'a tenth of a price',
    (prices: MarketPrices) => ({ ...prices, home: prices.home! / 10, away: prices.away! / 10 }),
    ['h2h', 'spreads', 'totals'],
  ],
  [
    'a point read as ten times',
    (prices: MarketPrices) => ({
      ...prices,
      homePoint: prices.homePoint && prices.homePoint * 10,
      awayPoint: prices.awayPoint && prices.awayPoint * 10,
    }),
    ['spreads', 'totals'],
  ],
])('a push of matches read with %s is found by the audit of that push', async (_, fault, markets) => {
  const events = [
    match([], {
      ...NAMES,
      commence_time: new Date(served.api.now + 5 * 3_600_000).toISOString(),
      markets: [h2h(HOME, AWAY, [14, 21]), spreads(HOME, AWAY, -4.5, [18, 19]), totals(40.5, [13, 16])],
    }),
  ];
  const push = pusherOf(served, operator);
  const pushed = async () => {
    served.api.now += 31_000;
    await push('unibet', events);
    return checkOf('unibet', 'sports');
  };
  expect((await pushed())!.findings).toEqual([]);
  readMarketAs = fault;
  const found = (await pushed())!;
  expect([...new Set(found.findings.map(({ market }) => market))]).toEqual(markets);
  expect(found.findings[0]!.message).toMatch(/^\d (head-to-head|handicap) prices? (is|are) served /);
  const [newest] = await createStores(served.db.pool).audits.pushChecks('sports');
  expect(newest).toBeDefined();
});

test.each([
  ['place read as win', (one: PushedRace['runners'][number]) => ({ ...one, win: one.place }), 'win'],
  ['a tenth of a price', (one: PushedRace['runners'][number]) => ({ ...one, win: one.win! / 10 }), 'win'],
])('a push of races read with %s is found by the audit of that push', async (_, fault, market) => {
  const race = (source_id: string) => ({
    source_id,
    venue: 'Flemington',
    race_number: 9,
    category: 'horse',
    start_time: new Date(served.api.now + 3_600_000).toISOString(),
    runners: [1, 2, 3].map((number) => ({
      number,
      name: `Own Runner ${number}`,
      win_price: 20 + number,
      place_price: 4,
    })),
  });
  const first = race('bb-own');
  const pushed = async () => {
    served.api.now += 31_000;
    const answer = await served.api.send('POST', '/v1/ingest/boostbet', {
      key: operator,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ bookmaker_key: 'boostbet', races: [first] }),
    });
    expect([answer.status, answer.body.refused]).toEqual([200, []]);
    return checkOf('boostbet', 'racing_horse');
  };
  expect((await pushed())!.findings).toEqual([]);
  readRunnerAs = fault;
  const { findings } = (await pushed())!;
  expect(findings.map((one) => [one.status, one.market])).toEqual([['diff', market]]);
  expect(findings[0]!.message).toMatch(/^3 win prices are served differently from what the bookmaker pushed\./);
});
