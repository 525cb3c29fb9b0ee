import { createQuoteStore } from '../../../../src/store/polls/quotes';
import { CAPTURED, captureBound, readCapturedPrices } from '../../../../src/store/reads/prices/captured-prices';
import { addRace } from '../../../support/races/board';
import { feedField, feedRunner, raceSnapshot } from '../../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';

const START = '2026-11-21T03:00:00.000Z';
const startMs = Date.parse(START);
/** An instant this many seconds before the start. */
const before = (seconds: number) => new Date(startMs - seconds * 1000).toISOString();
const from = captureBound([startMs]);

let db: TestDatabase;
let raceId: string;
let other: string;

beforeAll(async () => {
  db = await createTestDatabase();
  const card = { startTime: START };
  raceId = (
    await addRace(db.pool, card, {
      tab: { at: before(3590.5), runners: feedField(2.5, 4.2, 8) },
      neds: { at: before(3600), runners: feedField(2.6, 4.4, null) },
      sportsbet: { at: before(3601), runners: feedField(2.6, 4.4, 7) },
    })
  ).raceId;
  other = (await addRace(db.pool, { ...card, raceNumber: 2 }, { tab: { at: before(60), runners: feedField(3, 3, 3) } }))
    .raceId;
  await poll('tab', 1800, 2.4, 4.2, 8.5);
  await poll('tab', 600.123, 2.4, null, 8.5);
  await poll('neds', 900, 2.6, 4.4, 9);
});
afterAll(() => db.drop());

async function poll(bookmakerKey: string, seconds: number, ...wins: (number | null)[]): Promise<void> {
  await createQuoteStore(db.pool).savePoll({
    raceId,
    bookmakerKey,
    fence: { epoch: 1, attempt: 1 },
    observedAt: before(seconds),
    bookAt: null,
    snapshot: raceSnapshot({ runners: feedField(...wins) }),
    marketStateSource: false,
    startSource: false,
  });
}

const read = (bookmakers: string[], raceIds = [raceId], since = from) =>
  readCapturedPrices(db.pool, { raceIds, bookmakers, from: since });

/** `number: price@seconds before the start, …`, then `-` and when it was withdrawn. */
const lines = (books: Awaited<ReturnType<typeof read>>) =>
  books.map(({ bookmaker, runners }) => [
    bookmaker,
    ...runners.map(({ number, atMs, prices, withdrawnAtMs }) => {
      const ticks = prices.map((price, i) => `${price}@${(startMs - atMs[i]!) / 1000}`);
      return `${number}: ${ticks.join(', ')}${withdrawnAtMs === null ? '' : ` - ${(startMs - withdrawnAtMs) / 1000}`}`;
    }),
  ]);

test('each book’s prices on each runner in time order, and when the last was withdrawn', async () => {
  expect(lines(await read(['tab', 'neds']))).toEqual([
    ['neds', '1: 2.6@3600', '2: 4.4@3600', '3: 9@900'],
    ['tab', '1: 2.5@3590.5, 2.4@1800', '2: 4.2@3590.5 - 600.123', '3: 8@3590.5, 8.5@1800'],
  ]);
});

test('a book last polled before the capture window has none', async () => {
  expect(await read(['sportsbet'])).toEqual([]);
});

test('one query reads the given races and books only', async () => {
  expect((await read(['tab'], [raceId, other])).map((book) => book.raceId)).toEqual([raceId, other].sort());
  expect(await read([])).toEqual([]);
});

test('nothing older than the bound is read', async () => {
  expect(lines(await read(['tab'], [raceId], before(1800)))).toEqual([['tab', '1: 2.4@1800', '3: 8.5@1800']]);
});

test('nothing older than the race’s own bound is read, whatever older race is read with it', async () => {
  const book = { at: before(3000), runners: feedField(3, 5) };
  const { raceId: late } = await addRace(db.pool, { startTime: START, raceNumber: 4 }, { tab: book });
  await db.pool.query(`UPDATE races SET start_time = start_time + interval '6 h 20 min' WHERE race_id = $1`, [late]);
  expect(await read(['tab'], [late], captureBound([startMs + 22_800_000]))).toEqual([]);
  expect((await read(['tab'], [late, raceId])).map((one) => one.raceId)).toEqual([raceId]);
});

test('when another runner takes over a number, its prices start anew', async () => {
  const runners = [feedRunner(1, { win: 3 }), feedRunner(2, { win: 5, name: 'Late Entry' })];
  const book = { at: before(3000), runners: feedField(3, 5) };
  const { raceId: changed } = await addRace(db.pool, { startTime: START, raceNumber: 3 }, { tab: book });
  await createQuoteStore(db.pool).savePoll({
    raceId: changed,
    bookmakerKey: 'tab',
    fence: { epoch: 1, attempt: 1 },
    observedAt: before(300),
    bookAt: null,
    snapshot: raceSnapshot({ runners }),
    marketStateSource: false,
    startSource: false,
  });
  expect(lines(await read(['tab'], [changed]))).toEqual([['tab', '1: 3@3000', '2: 5@300']]);
});

test('the query uses the primary key, of only those chunks that can contain such prices', async () => {
  const client = await db.pool.connect();
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO price_ticks (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump, win_price)
     SELECT $1::timestamptz - d * interval '1 day' - n * interval '1 second', gen_random_uuid(), 'tab', 1, 'x', 0, 2
     FROM generate_series(1, 3) d, generate_series(1, 400) n`,
    [START],
  );
  await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
  await client.query('ANALYZE');
  await client.query('SET LOCAL enable_seqscan = off');
  await client.query(`PREPARE captured AS ${CAPTURED.text}`);
  const { rows } = await client.query(
    `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE captured ('{${raceId}}', '{tab}', '${from}', ${Date.parse(from) / 1000})`,
  );
  await client.query('ROLLBACK');
  client.release();
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  // The bound lies seven hours before the start, which is yesterday: of four days' chunks two are opened.
  expect(plan.match(/on _hyper_\d+_\d+_chunk/g)).toHaveLength(2);
  expect(plan.match(/Index Scan (using|on) "\d+_\d+_price_ticks_pkey"/g)).toHaveLength(2);
  expect(plan).not.toContain('Seq Scan');
});
