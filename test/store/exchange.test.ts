// Reports of the exchange, in any order and any number of times: the later one wins, every version is stored, and the
// race takes only what the exchange decides.
import fc from 'fast-check';
import type { ExchangeMarket, ExchangeRunner } from '../../src/domain/race/feed-race';
import { createExchangeStore } from '../../src/store/exchange';
import { runs } from '../support/property';
import { type StoredRace, storeRace } from '../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';
import { pairsInVain, plansOf, wholeScans } from '../support/servers/plans';

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());

const runner = (over: Partial<ExchangeRunner> = {}): ExchangeRunner => ({
  selectionId: 42_000_001,
  number: 1,
  name: 'Alpha',
  status: 'ACTIVE',
  backPrice: 4.2,
  backSize: 25,
  layPrice: 4.4,
  laySize: 10,
  lastTraded: 4.3,
  tradedVolume: 100,
  bsp: null,
  adjustmentFactor: 20.5,
  removedAt: null,
  ...over,
});
const WIN = '1.200000001';
const market = (version: number, over: Partial<ExchangeMarket> = {}): ExchangeMarket => ({
  marketId: WIN,
  marketType: 'WIN',
  version,
  status: 'OPEN',
  inPlay: false,
  bspReconciled: false,
  numberOfWinners: 1,
  activeRunners: 1,
  totalMatched: 500,
  marketTime: null,
  settledAt: null,
  publishedAt: null,
  runners: [runner()],
  ...over,
});

const rows = async (text: string) => (await db.pool.query(text)).rows;
const raceRow = async () =>
  (await rows('SELECT inplay, inplay_at, market_status, market_closed_at, market_state_source FROM races'))[0];
const listed = (...books: string[]): Promise<StoredRace> =>
  storeRace(db, { sourceRaceId: WIN }, ['betfair_ex_au', ...books]);
const report = (
  race: StoredRace,
  secondsBefore: number,
  markets: readonly ExchangeMarket[],
  raceId: string | null = race.raceId,
) => race.stores.exchange.saveMarkets({ markets, raceId, observedAt: race.before(secondsBefore) });

describe('the later report wins', () => {
  test('an older version changes only the list of versions seen; of two reports of one version the later observation wins', async () => {
    const race = await listed();
    await report(race, 60, [market(3, { status: 'SUSPENDED' })]);
    await report(race, 50, [market(2)]);
    expect(await rows('SELECT version, status FROM exchange_markets')).toEqual([{ version: 3, status: 'SUSPENDED' }]);
    expect(await rows('SELECT version FROM exchange_market_changes ORDER BY 1')).toEqual([
      { version: 2 },
      { version: 3 },
    ]);
    await report(race, 40, [market(3, { status: 'SUSPENDED', runners: [runner({ backPrice: 5 })] })]);
    await report(race, 45, [market(3, { status: 'SUSPENDED', runners: [runner({ backPrice: 9 })] })]);
    expect(await rows('SELECT back_price FROM exchange_runners')).toEqual([{ back_price: 5 }]);
  });

  test('fields missing from a report are kept: names from polls, the start from the stream, reconciled starting prices', async () => {
    const race = await listed();
    await report(race, 60, [
      market(1, { marketTime: race.before(0), runners: [runner({ number: null, name: null })] }),
    ]);
    await report(race, 50, [market(1, { runners: [runner({ bsp: 4.35 })] })]);
    await report(race, 40, [market(2, { runners: [runner({ number: null, name: null })] })]);
    expect(await rows('SELECT number, name, bsp FROM exchange_runners')).toEqual([
      { number: 1, name: 'Alpha', bsp: 4.35 },
    ]);
    expect(await rows('SELECT market_time FROM exchange_markets')).toEqual([{ market_time: race.before(0) }]);
  });

  test('a removed runner loses its starting price for good', async () => {
    const race = await listed();
    await report(race, 0, [market(1, { bspReconciled: true, runners: [runner({ bsp: 3.75 })] })]);
    await report(race, -60, [market(2, { runners: [runner({ status: 'REMOVED', removedAt: race.before(-50) })] })]);
    const stored = await rows('SELECT status, bsp, removed_at, adjustment_factor FROM exchange_runners');
    expect(stored).toEqual([{ status: 'REMOVED', bsp: null, removed_at: race.before(-50), adjustment_factor: 20.5 }]);
  });

  test('polls and the stream, in any order and repeated, give the same rows, each version at its earliest reported instant', async () => {
    const reports = [1, 2, 3, 4].flatMap((version) => [
      { seconds: 100 - 10 * version, market: market(version, { publishedAt: `2026-11-21T02:5${version}:00.000Z` }) },
      { seconds: 95 - 10 * version, market: market(version) },
    ]);
    const race = await listed();
    const stored = () =>
      Promise.all(
        ['exchange_markets', 'exchange_market_changes', 'exchange_runners'].map((t) =>
          rows(`SELECT * FROM ${t} ORDER BY 1, 2`),
        ),
      );
    for (const each of reports) await report(race, each.seconds, [each.market]);
    const inOrder = await stored();
    const orders = fc.shuffledSubarray([...reports, ...reports], { minLength: 2 * reports.length });
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        await db.pool.query('TRUNCATE exchange_market_changes, exchange_runners, exchange_markets');
        for (const each of order) await report(race, each.seconds, [each.market]);
        expect(await stored()).toEqual(inOrder);
      }),
      { numRuns: runs(10) },
    );
  });
});

describe('the race', () => {
  test('a turn in play and a close in one report are two stamps, each set once', async () => {
    const race = await listed('pointsbetau');
    const at = (seconds: number) => ({ publishedAt: race.before(seconds) });
    const versions = [
      market(1, at(60)),
      market(2, { status: 'SUSPENDED', ...at(-30) }),
      market(3, { inPlay: true, ...at(-33) }),
      market(4, { status: 'CLOSED', inPlay: true, ...at(-200) }),
    ];
    await report(race, -201, versions, null);
    expect(await raceRow()).toMatchObject({ inplay: true, inplay_at: race.before(-33) });
    await report(race, -300, [market(5, { inPlay: true })]);
    expect(await raceRow()).toMatchObject({ inplay_at: race.before(-33) });
  });

  test('the exchange’s state is not used if a book whose state is published lists the race', async () => {
    const race = await listed('pointsbetau');
    await report(race, -60, [market(1, { status: 'CLOSED' })]);
    expect(await raceRow()).toMatchObject({ market_status: null, market_closed_at: null, market_state_source: null });
  });

  test('otherwise the jump is the exchange’s close, and customers read null because the source is the exchange', async () => {
    const race = await listed('ladbrokes_au');
    await report(race, 60, [market(1)]);
    expect(await raceRow()).toMatchObject({
      market_status: 'OPEN',
      market_closed_at: null,
      market_state_source: 'betfair_ex_au',
    });
    await report(race, -40, [market(2, { status: 'SUSPENDED', bspReconciled: true })]);
    const shut = { market_status: 'CLOSED', market_closed_at: race.before(-40), market_state_source: 'betfair_ex_au' };
    expect(await raceRow()).toMatchObject(shut);
    await report(race, -300, [market(3, { status: 'CLOSED', bspReconciled: true })]);
    expect(await raceRow()).toMatchObject(shut);
  });

  test('a book that lists the race before the close takes over its state', async () => {
    const race = await listed();
    await report(race, 600, [market(1)]);
    const pointsbet = await storeRaceAt(race, 'pointsbetau');
    await pointsbet(500, 'OPEN');
    await report(race, 400, [market(1)]);
    expect(await raceRow()).toMatchObject({ market_status: 'OPEN', market_state_source: 'pointsbetau' });
    await report(race, -60, [market(2, { status: 'CLOSED' })]);
    expect(await raceRow()).toMatchObject({ market_closed_at: null, market_state_source: 'pointsbetau' });
    await pointsbet(-70, 'CLOSED');
    expect(await raceRow()).toMatchObject({ market_closed_at: race.before(-70), market_state_source: 'pointsbetau' });
  });

  test('a market waits until its race is listed', async () => {
    const race = await listed();
    await report(race, 60, [market(1), market(1, { marketId: '1.9', marketType: 'PLACE' })], null);
    expect(await rows('SELECT market_id, race_id FROM exchange_markets ORDER BY 1')).toEqual([
      { market_id: WIN, race_id: race.raceId },
      { market_id: '1.9', race_id: null },
    ]);
    await report(race, 50, [market(1, { marketId: '1.9', marketType: 'PLACE' })]);
    expect(await rows("SELECT race_id FROM exchange_markets WHERE market_id = '1.9'")).toEqual([
      { race_id: race.raceId },
    ]);
  });
});

/** Another book lists the race later and reports its market state. */
async function storeRaceAt(race: StoredRace, book: string) {
  await db.pool.query('INSERT INTO race_books (race_id, bookmaker_key, source_race_id) VALUES ($1, $2, $3)', [
    race.raceId,
    book,
    'x',
  ]);
  return (secondsBefore: number, marketStatus: 'OPEN' | 'CLOSED') =>
    race.poll(secondsBefore, { marketStatus }, { bookmakerKey: book, marketStateSource: true, startSource: false });
}

test('changes on either side inside the capture window are ticks', async () => {
  const race = await listed();
  const at = (seconds: number, over: Partial<ExchangeRunner>) =>
    report(race, seconds, [market(1, { runners: [runner(over)] })]);
  await at(3700, { backPrice: 3 });
  await at(1000, { backPrice: 3.1 });
  await at(900, { backPrice: 3.1, backSize: 99, tradedVolume: 900 });
  await at(800, { backPrice: 3.1, layPrice: 3.2 });
  const ticks = await rows('SELECT at, back_price, lay_price FROM exchange_ticks ORDER BY at');
  expect(ticks).toEqual([
    { at: race.before(1000), back_price: 3.1, lay_price: 4.4 },
    { at: race.before(800), back_price: 3.1, lay_price: 3.2 },
  ]);
});

test('a report of many markets finds every row by its key and compares no pairs of markets', async () => {
  const race = await listed('tab');
  const markets = [1, 2, 3, 4, 5, 6, 7, 8].map((n) =>
    market(1, { marketId: n === 1 ? WIN : `1.30000000${n}`, runners: [runner(), runner({ selectionId: n })] }),
  );
  for (const round of [1, 2]) {
    const nodes = await plansOf(db.url, (session) =>
      createExchangeStore(session).saveMarkets({ markets, raceId: null, observedAt: race.before(60 - round) }),
    );
    expect(nodes.length).toBeGreaterThan(10);
    expect(wholeScans(nodes)).toEqual([]);
    expect(pairsInVain(nodes)).toBe(0);
    // A plan made for tables of few rows stays when they are large.
    await db.pool.query('ANALYZE');
  }
  expect(await rows('SELECT count(*)::int AS n FROM exchange_runners')).toEqual([{ n: 16 }]);
  expect(await rows('SELECT race_id FROM exchange_markets WHERE race_id IS NOT NULL')).toHaveLength(1);
});

test('a report that rewrites its runners adds no entries to their index', async () => {
  const race = await listed();
  const selections = Array.from({ length: 11 }, (_, n) => n + 1);
  const save = (n: number, round: number) => {
    const runners = selections.map((selectionId) => runner({ selectionId, tradedVolume: 100 + round }));
    return report(race, 60 - round, [market(1, { marketId: `1.40000000${n}`, runners })], null);
  };
  const pages = () =>
    rows('SELECT market_id, selection_id, (ctid::text::point)[0] AS page FROM exchange_runners ORDER BY 1, 2');
  // Pages without dead rows of other tests.
  await rows('TRUNCATE exchange_runners');
  for (let n = 1; n <= 8; n++) await save(n, 0);
  const before = await pages();
  // A new version beside the one before it, on its page, is found through the entry of that one. Once: a second one
  // needs the room of the first, which any open snapshot keeps.
  for (let n = 1; n <= 8; n++) await save(n, 1);
  expect(await pages()).toEqual(before);
  expect(new Set(before.map(({ page }) => page)).size).toBeGreaterThan(2);
});

describe('reports of one moment', () => {
  /** The statements of what `work` saves. */
  const statementsOf = async (
    work: (save: ReturnType<typeof createExchangeStore>['saveMarkets']) => Promise<unknown>,
  ) => {
    let statements = 0;
    const query = (...args: unknown[]) => {
      statements += 1;
      return (db.pool.query as (...all: unknown[]) => unknown)(...args);
    };
    await work(createExchangeStore({ query } as unknown as typeof db.pool).saveMarkets);
    return statements;
  };
  const MARKETS = ['1.1', '1.2', '1.3', '1.4'];

  test('share a statement; one that cannot be saved fails alone', async () => {
    const race = await listed();
    const observedAt = race.before(60);
    const good = MARKETS.map((marketId) => ({ markets: [market(1, { marketId })], raceId: race.raceId, observedAt }));
    expect(await statementsOf((save) => Promise.all(good.map(save)))).toBe(1);
    const later = good.map((write) => ({ ...write, observedAt: race.before(50), mayWait: true }));
    const bad = { ...later[1]!, markets: [market(2, { marketId: '1.2', status: 'NONE' as 'OPEN' })] };
    const ended: PromiseSettledResult<void>[] = [];
    await statementsOf(async (save) => {
      ended.push(...(await Promise.allSettled([later[0]!, bad, later[2]!, later[3]!].map(save))));
    });
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    const stored = await rows('SELECT market_id, observed_at FROM exchange_markets ORDER BY 1');
    expect(stored.map(({ observed_at }) => observed_at)).toEqual([50, 60, 50, 50].map(race.before));
  });

  test('one whose market another transaction has delays no other, and is saved after it', async () => {
    const race = await listed();
    const { saveMarkets } = createExchangeStore(db.pool);
    const writesAt = (secs: number) =>
      MARKETS.map((marketId) => ({
        ...{ markets: [market(1, { marketId })], raceId: race.raceId, observedAt: race.before(secs) },
      }));
    await Promise.all(writesAt(60).map(saveMarkets));
    const other = await db.pool.connect();
    try {
      await other.query('BEGIN');
      await other.query(`SELECT FROM exchange_markets WHERE market_id = '1.1' FOR UPDATE`);
      const [blocked, ...others] = writesAt(50).map(saveMarkets);
      await Promise.all(others);
      const stored = () => rows('SELECT observed_at FROM exchange_markets ORDER BY market_id');
      expect((await stored()).map(({ observed_at }) => observed_at)).toEqual([60, 50, 50, 50].map(race.before));
      await other.query('COMMIT');
      await blocked;
      expect((await stored())[0]).toEqual({ observed_at: race.before(50) });
    } finally {
      other.release();
    }
  });

  test('of one market are saved in turn: each version, and a tick for each instant', async () => {
    const race = await listed();
    const writes = [1, 2, 3].map((version) => ({
      ...{ raceId: race.raceId, observedAt: race.before(60 - version) },
      markets: [market(version, { runners: [runner({ backPrice: 2 + version })] })],
    }));
    expect(await statementsOf((save) => Promise.all(writes.map(save)))).toBe(3);
    expect(await rows('SELECT back_price FROM exchange_ticks ORDER BY at')).toEqual(
      [3, 4, 5].map((back_price) => ({ back_price })),
    );
    expect(await rows('SELECT version, status FROM exchange_markets')).toEqual([{ version: 3, status: 'OPEN' }]);
    expect(await rows('SELECT version FROM exchange_market_changes')).toHaveLength(3);
  });

  test('a runner that is as stored is not written again', async () => {
    const race = await listed();
    const two = (backPrice: number) => [runner({ backPrice }), runner({ selectionId: 2, name: 'Beta' })];
    await report(race, 60, [market(1, { runners: two(3) })]);
    const versions = () => rows('SELECT selection_id, xmin::text FROM exchange_runners ORDER BY 1');
    const [beta, alpha] = await versions();
    await report(race, 50, [market(1, { runners: two(4) })]);
    const after = await versions();
    expect(after[0]).toEqual(beta);
    expect(after[1]).not.toEqual(alpha);
  });
});
