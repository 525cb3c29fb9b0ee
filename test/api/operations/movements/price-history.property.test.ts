// D44: a race's price history is the same from its ticks and from the archive, whatever its books did: moved starts,
// runners that swapped numbers, prices withdrawn and offered again, days of ticks dropped in part, and archives with a
// gap.
import fc from 'fast-check';
import type { FeedRunner } from '../../../../src/domain/race/feed-race';
import { createArchiveStore } from '../../../../src/store/archive/archive';
import { createRetentionStore } from '../../../../src/store/archive/retention/retention';
import { type Served, serve } from '../../../support/api/served';
import { runs } from '../../../support/property';
import { feedRunner } from '../../../support/races/builders';
import { polledRace } from '../../../support/races/polled-race';

const BOOKS = ['tab', 'ladbrokes_au', 'pointsbetau', 'betfair_ex_au', 'pinnacle'] as const;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2026-06-01T00:00:00.000Z');

let served: Served;
let customer: string;
let operator: string;
beforeAll(async () => {
  served = await serve();
  customer = await served.addKey({ plan: 'free' });
  operator = await served.addKey({ plan: 'free', role: 'internal' });
  // Every later race has the same `history_from`.
  const { raceId } = await polledRace(
    served.db.pool,
    { startTime: '2026-05-01T03:00:00.000Z', meetingDate: '2026-05-01' },
    { tab: [[900, 3]] },
  );
  await past(raceId);
});
afterAll(() => served.stop());

const past = async (raceId: string) => {
  await served.db.pool.query(
    `UPDATE races SET left_board_at = start_time + interval '11 minutes', jumped_at = start_time WHERE race_id = $1`,
    [raceId],
  );
  await createArchiveStore(served.db.pool).archive(raceId, '2026-11-21T00:00:00.000Z');
};

/** Under numbers 1 to 3: a name and its price, or nothing. */
const field = fc.array(
  fc.option(
    fc.record({ name: fc.constantFrom('Alpha', 'Beta', 'Gamma', 'Beta Max'), win: fc.constantFrom(null, 2, 2.5, 8) }),
    {
      freq: 4,
    },
  ),
  { minLength: 3, maxLength: 3 },
);
const poll = fc.record({
  book: fc.constantFrom(...BOOKS),
  secs: fc.integer({ min: -240, max: 3700 }),
  field,
  status: fc.constantFrom(null, 'OPEN' as const, 'OPEN' as const, 'CLOSED' as const),
  startMovedBy: fc.constantFrom(null, null, -300, 600),
});
const race = fc.record({
  /** The second one has ticks in two UTC days. */
  start: fc.constantFrom('T03:00:00.000Z', 'T00:20:00.000Z'),
  polls: fc.array(poll, { minLength: 3, maxLength: 16 }),
  lays: fc.array(fc.integer({ min: 0, max: 3600 }), { maxLength: 6 }),
  dropsAll: fc.boolean(),
  /** The index of the archived price that is lost before the ticks are dropped; null: none. */
  loses: fc.constantFrom(null, null, 0, 1),
  /** Its archived lay prices are wrong when the ticks of the exchange are dropped. */
  mislaid: fc.constantFrom(true, true, false),
});

/** Every book, lay prices, a gap and wrong lay prices: no seed leaves them out. */
const everything: typeof race extends fc.Arbitrary<infer Case> ? Case : never = {
  start: 'T03:00:00.000Z',
  polls: BOOKS.map((book) => ({
    book,
    secs: 900,
    field: [{ name: 'Alpha', win: 2.5 }, null, null],
    status: 'OPEN',
    startMovedBy: null,
  })),
  // One stands when the books are polled.
  lays: [1200, 60],
  dropsAll: true,
  loses: 0,
  mislaid: true,
};

const runnersOf = (row: readonly ({ name: string; win: number | null } | null)[]): FeedRunner[] =>
  row.flatMap((one, i) => (one ? [feedRunner(i + 1, one)] : []));

/** The exchange's own WIN market, with a lay price of runner 1 this many seconds before the start. */
async function addExchange(raceId: string, startMs: number, lays: readonly number[]): Promise<void> {
  const { pool } = served.db;
  const at = lays.map((secs) => new Date(startMs - secs * 1000).toISOString());
  await pool.query(
    `INSERT INTO exchange_markets (market_id, race_id, market_type, version, status, in_play, bsp_reconciled, observed_at)
     VALUES ($1::text, $1::uuid, 'WIN', 1, 'OPEN', false, false, $2)`,
    [raceId, new Date(startMs).toISOString()],
  );
  await pool.query(
    `INSERT INTO exchange_runners (market_id, selection_id, number, name, status) VALUES ($1, 1, 1, 'Alpha', 'ACTIVE')`,
    [raceId],
  );
  await pool.query(
    `INSERT INTO exchange_ticks (at, market_id, selection_id, lay_price) SELECT a, $2, 1, 3 + i FROM unnest($1::timestamptz[]) WITH ORDINALITY q (a, i)
     ON CONFLICT DO NOTHING`,
    [at, raceId],
  );
}

const seen = { points: 0, lays: 0, dropped: 0, kept: 0, keptLays: 0, books: new Set<string>() };

async function historiesOf(raceId: string) {
  const of = async (key: string) => {
    const { status, body } = await served.api.get(`/v1/racing/price-history?race_id=${raceId}`, key);
    const { request_id: _, ...rest } = body;
    return { status, ...rest };
  };
  return { customers: await of(customer), operators: await of(operator) };
}

/** Drops a UTC day of ticks as retention does: what the archive does not have is kept first. */
async function dropDay(day: string): Promise<void> {
  const retention = createRetentionStore(served.db.pool);
  for (const { raceId } of await retention.unarchived(day)) {
    await retention.keep(raceId, day);
    seen.kept++;
  }
  for (const { marketId, why } of await retention.unarchivedMarkets(day)) {
    await retention.keepMarket(marketId, day);
    if (why === 'gap') seen.keptLays++;
  }
  let verdict = 'busy';
  while (verdict === 'busy') verdict = await retention.drop(day, '2026-11-21T00:00:00.000Z');
  expect(verdict).toBe('dropped');
  seen.dropped++;
}

let days = 0;
test('the same from ticks and from the archive, for customers and operators', async () => {
  const { pool } = served.db;
  await fc.assert(
    fc.asyncProperty(race, async ({ start, polls, lays, dropsAll, loses, mislaid }) => {
      // Two days each, so that no other race keeps a chunk.
      days += 2;
      const day = new Date(FIRST_DAY + days * DAY_MS).toISOString().slice(0, 10);
      const startTime = `${day}${start}`;
      const startMs = Date.parse(startTime);
      const listed = { startTime, meetingDate: day, venue: `Venue ${days}` };
      const one = await polledRace(pool, listed, Object.fromEntries(BOOKS.map((book) => [book, []])));
      for (const { book, secs, field: row, status, startMovedBy } of polls.sort((a, b) => b.secs - a.secs))
        await one.poll(book, [secs], {
          runners: runnersOf(row),
          marketStatus: status,
          startTime: startMovedBy === null ? null : new Date(startMs + startMovedBy * 1000).toISOString(),
        });
      await addExchange(one.raceId, startMs, lays);
      const before = await historiesOf(one.raceId);
      await past(one.raceId);
      expect(await historiesOf(one.raceId)).toEqual(before);
      if (loses !== null)
        await pool.query(
          `DELETE FROM price_path_rows WHERE (race_id, captured_at) IN (
             SELECT race_id, captured_at FROM archived_price_paths WHERE race_id = $1 ORDER BY captured_at OFFSET $2 LIMIT 1)`,
          [one.raceId, loses],
        );
      if (mislaid)
        await pool.query('UPDATE withheld_path_rows SET lay_price = lay_price + 50 WHERE race_id = $1', [one.raceId]);
      const eve = new Date(FIRST_DAY + (days - 1) * DAY_MS).toISOString().slice(0, 10);
      for (const each of dropsAll ? [eve, day] : [start.startsWith('T00') ? eve : day]) await dropDay(each);
      expect(await historiesOf(one.raceId)).toEqual(before);
      expect(JSON.stringify(before.customers)).not.toMatch(/betfair|pinnacle|"lay_price":[^n]/);
      for (const { bookmakers } of before.operators.runners ?? [])
        for (const { key, points } of bookmakers) {
          seen.books.add(key);
          seen.points += points.length;
          seen.lays += points.filter((point: { lay_price: number | null }) => point.lay_price !== null).length;
        }
    }),
    { numRuns: runs(60), examples: [[everything]] },
  );
  const { books, ...counts } = seen;
  expect([...books].sort()).toEqual([...BOOKS].sort());
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
});
