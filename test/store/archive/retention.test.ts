// When a day of ticks goes (D48): only after every race of it is verified, and never by anything else.
import type { Pool } from 'pg';
import { archivePast } from '../../../src/activities/archive/archive-past';
import { dropArchivedTicks } from '../../../src/activities/archive/drop-archived-ticks';
import { reconcileArchive } from '../../../src/activities/archive/reconcile-archive';
import { CUSTOMERS } from '../../../src/api/kernel/endpoint/visibility';
import { scoreBets } from '../../../src/api/operations/clv/clv';
import type { Bet } from '../../../src/api/operations/clv/clv-subject';
import { createStores } from '../../../src/store/create-stores';
import { createReads } from '../../../src/store/reads/reads';
import { polledRace } from '../../support/races/polled-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

const DAY_MS = 24 * 3_600_000;
/** Its window spans two UTC days. */
const START = '2026-11-21T00:20:00.000Z';
const startMs = Date.parse(START);
const after = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();

let db: TestDatabase;
let raceNumber = 0;
const logged: string[] = [];
let worker: Pool;
beforeAll(async () => {
  db = await createTestDatabase();
  // Only the owner of a table may drop a part of it: a worker can by the function that verifies first.
  worker = poolAs(db, 'racing_worker');
});
afterAll(async () => {
  await worker.end();
  await db.drop();
});
const TABLES = [
  'races',
  'price_ticks',
  'price_breaks',
  'kept_ticks',
  'kept_breaks',
  'exchange_ticks',
  'kept_exchange_ticks',
  'archived_closing_lines',
  'archived_price_paths',
  'archived_summaries',
  'withheld_closing_lines',
  'withheld_price_paths',
  'archived_day_counts',
  'archived_days',
  'archived_totals',
];
beforeEach(async () => {
  logged.length = 0;
  await db.pool.query(`TRUNCATE ${TABLES.join()} CASCADE`);
});

const note = (_: unknown, what: string) => void logged.push(what);
const log = { debug: note, info: note, warn: note, error: note } as never;
/** Days after the race. */
const deps = (days: number) => ({ stores: createStores(worker), now: () => startMs + days * DAY_MS, log });

/** Ticks on 20 and 21 November, and a withdrawal. */
async function past(): Promise<string> {
  raceNumber++;
  const { raceId } = await polledRace(
    db.pool,
    { startTime: START, raceNumber, country: 'AU' },
    {
      tab: [
        [3000, 3, 2],
        [600, 2.8, 2],
        [60, null, 2.1],
      ],
      pinnacle: [[2000, 3, 2]],
    },
  );
  await db.pool.query('UPDATE races SET left_board_at = $2, jumped_at = start_time WHERE race_id = $1', [
    raceId,
    after(640),
  ]);
  return raceId;
}

/** `past`, quoted by the exchange too: its own ticks are on both days, at and between the captured prices. */
async function pastAtExchange(): Promise<string> {
  raceNumber++;
  const books = {
    betfair_ex_au: [
      [3000, 3, 2],
      [600, 2.8, 2],
      [60, 2.9, 2.1],
    ] as const,
  };
  const { raceId } = await polledRace(db.pool, { startTime: START, raceNumber, country: 'AU' }, books);
  await db.pool.query('UPDATE races SET left_board_at = $2, jumped_at = start_time WHERE race_id = $1', [
    raceId,
    after(640),
  ]);
  const market = `1.${raceNumber}`;
  await db.pool.query(
    `INSERT INTO exchange_markets (market_id, race_id, market_type, version, status, in_play, bsp_reconciled, observed_at)
     VALUES ($1, $2, 'WIN', 1, 'CLOSED', false, false, $3)`,
    [market, raceId, START],
  );
  await db.pool.query(
    `INSERT INTO exchange_runners (market_id, selection_id, number, status) VALUES ($1, 11, 1, 'ACTIVE'), ($1, 12, 2, 'ACTIVE')`,
    [market],
  );
  await db.pool.query(
    `INSERT INTO exchange_ticks (at, market_id, selection_id, back_price, lay_price)
     SELECT $2::timestamptz - s * interval '1 s', $1, 10 + n, 3, 3 + n + s / 1000.0
       FROM generate_series(1, 2) n, unnest(ARRAY[3500, 3000, 1500, 600, 30]) s`,
    [market, START],
  );
  return raceId;
}

/** As `clv` measures a bet on each runner. */
async function closesOf(raceId: string) {
  const api = poolAs(db, 'racing_api', 2);
  try {
    const bets = [1, 2].map((number) => ({ race_id: raceId, runner_number: number, price: 3 }));
    const scores = await scoreBets(createReads(api), bets as Bet[], 'best', CUSTOMERS, startMs + 51 * DAY_MS);
    return scores.map(({ close, reason }) => ({ close, reason }));
  } finally {
    await api.end();
  }
}

const ARCHIVED = [
  'archived_closing_lines',
  'archived_price_paths',
  'archived_summaries',
  'withheld_closing_lines',
  'withheld_price_paths',
];

/** The archive's rows of prices. */
async function archiveOf(raceId: string): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const table of ARCHIVED) {
    const { rows } = await db.pool.query(
      `SELECT to_jsonb(t) - 'race_id' AS row FROM ${table} t WHERE race_id = $1 ORDER BY 1`,
      [raceId],
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

const count = async (table: string): Promise<number> =>
  (await db.pool.query(`SELECT count(*)::integer AS n FROM ${table}`)).rows[0].n;

test.each([
  ['of a day', `UPDATE archived_day_counts SET n = n + 1 WHERE what = 'path' AND series = ''`],
  ['of one book, the sum being right', `UPDATE archived_day_counts SET scratched = true WHERE series = 'tab'`],
  ['of a race', `UPDATE archived_counts SET n = n + 1 WHERE what = 'summary'`],
  ['of races', 'UPDATE archived_days SET has_lines = NOT has_lines'],
  ['of rows that went', 'DELETE FROM archived_price_paths WHERE runner = 1'],
])('a count %s is not that of the rows: it is reported with its day, and not repaired', async (_, damage) => {
  await past();
  // Long after its start: it is compared because it was archived lately.
  await archivePast(deps(20));
  expect(await reconcileArchive(deps(20))).toEqual({ days: 4, wrong: [] });
  expect(logged).toEqual([]);
  await db.pool.query(damage);
  for (let hour = 0; hour < 2; hour++) expect((await reconcileArchive(deps(20))).wrong).toEqual(['2026-11-21']);
  expect(logged).toContain('the archive counts other rows than it has');
});

test('totals that are not the sums of the days are reported', async () => {
  await past();
  await archivePast(deps(1));
  await db.pool.query(`UPDATE archived_totals SET n = n + 1 WHERE what = 'race'`);
  await reconcileArchive(deps(0.5));
  expect(logged).toEqual(['the totals of the archive are not those of its days']);
});

test('days younger than 45 stay; older ones go once their races are archived, and the archive is then the source', async () => {
  const raceId = await past();
  await archivePast(deps(1));
  expect((await dropArchivedTicks(deps(45))).dropped).toEqual(['2026-11-20']);
  expect([await count('price_ticks'), await count('price_breaks')]).toEqual([2, 1]);
  expect((await dropArchivedTicks(deps(46.1))).dropped).toEqual(['2026-11-21']);
  expect([await count('price_ticks'), await count('price_breaks'), await count('kept_ticks')]).toEqual([0, 0, 0]);
  const { rows } = await db.pool.query(
    'SELECT ticks_dropped_at IS NOT NULL AS dropped FROM archived_races WHERE race_id = $1',
    [raceId],
  );
  expect(rows).toEqual([{ dropped: true }]);
  const paths = await db.pool.query('SELECT count(*)::integer AS n FROM archived_price_paths WHERE race_id = $1', [
    raceId,
  ]);
  expect(paths.rows[0].n).toBe(4);
  // Nothing is left that its prices could be written again from: they stay, whatever a worker clears.
  const before = await archiveOf(raceId);
  await worker.query('SELECT clear_archived_race($1, true)', [raceId]);
  expect(await archiveOf(raceId)).toEqual(before);
});

test('a race that was never archived is archived first', async () => {
  await past();
  expect(await dropArchivedTicks(deps(50))).toEqual({ dropped: ['2026-11-20', '2026-11-21'], kept: [] });
});

/** Of the second of its days. */
const DAMAGES: [string, string][] = [
  ['a row is missing', 'DELETE FROM archived_price_paths WHERE race_id = $1 AND win_price = 2.8'],
  ['a price differs', 'UPDATE archived_price_paths SET win_price = 9 WHERE race_id = $1 AND win_price = 2.8'],
  [
    'a row is too many',
    `INSERT INTO archived_price_paths (start_time, race_id, runner, bookmaker_key, captured_at, secs_to_jump, win_price)
     SELECT start_time, race_id, runner, bookmaker_key, captured_at + interval '1 s', secs_to_jump, 2 FROM archived_price_paths
      WHERE race_id = $1 AND win_price = 2.8`,
  ],
  [
    'an instant differs',
    `UPDATE archived_price_paths SET captured_at = captured_at - interval '1 ms' WHERE race_id = $1 AND win_price = 2.8`,
  ],
  ['a closing line is missing', 'DELETE FROM archived_closing_lines WHERE race_id = $1 AND runner = 2'],
  ['a closing line has another flag', 'UPDATE archived_closing_lines SET open_is_baseline = true WHERE race_id = $1'],
  [
    'a closing line of a withheld book is missing',
    'DELETE FROM withheld_closing_lines WHERE race_id = $1 AND runner = 2',
  ],
  ['the summaries are missing', 'DELETE FROM archived_summaries WHERE race_id = $1'],
];
const LAY_DAMAGES: [string, string][] = [
  ['at a captured price', 'UPDATE withheld_price_paths SET lay_price = 9 WHERE race_id = $1 AND lay_price = 4.6'],
  ['at the jump', 'UPDATE withheld_closing_lines SET close_lay_price = NULL WHERE race_id = $1 AND runner = 1'],
];

test('a damaged archive is written again from the ticks while they all stand, and then they go', async () => {
  const damaged: { raceId: string; damage: string }[] = [];
  for (const [, damage] of DAMAGES) damaged.push({ raceId: await past(), damage });
  for (const [, damage] of LAY_DAMAGES) damaged.push({ raceId: await pastAtExchange(), damage });
  await archivePast(deps(1));
  const archives = () => Promise.all(damaged.map(({ raceId }) => archiveOf(raceId)));
  const whole = await archives();
  for (const { raceId, damage } of damaged) await db.pool.query(damage, [raceId]);
  for (const [i, archive] of (await archives()).entries()) expect(archive).not.toEqual(whole[i]);
  // One day is due; the damage is in the next.
  expect(await dropArchivedTicks(deps(45))).toEqual({ dropped: ['2026-11-20'], kept: [] });
  expect(await archives()).toEqual(whole);
  expect(await dropArchivedTicks(deps(50))).toEqual({ dropped: ['2026-11-21'], kept: [] });
  expect([await count('kept_ticks'), await count('kept_exchange_ticks')]).toEqual([0, 0]);
  expect(await reconcileArchive(deps(45))).toEqual({ days: 4, wrong: [] });
});

test('a day whose rows were written again has another checksum, because a file may have been built of damaged ones', async () => {
  const raceId = await past();
  const { archive } = deps(1).stores;
  await archive.archive(raceId, after(700));
  const checksum = () => createReads(db.pool).archive.dayChecksum('path', '2026-11-21');
  const before = await checksum();
  expect(await archive.rewrite(raceId, after(800))).toMatchObject({ verdict: 'replaced' });
  const written = await checksum();
  expect(before).not.toBe('no rows');
  expect(written).not.toBe(before);
  // The same prices once more.
  await db.pool.query(`UPDATE races SET left_board_at = left_board_at + interval '1 s' WHERE race_id = $1`, [raceId]);
  expect(await archive.archive(raceId, after(900))).toMatchObject({ verdict: 'replaced' });
  expect(await checksum()).toBe(written);
});

test('a race that was not past when its days went is archived from its kept ticks, as it would have been from the ticks', async () => {
  const early = await past();
  const late = await past();
  const earlyExchange = await pastAtExchange();
  const lateExchange = await pastAtExchange();
  const leave = (at: string | null) =>
    db.pool.query('UPDATE races SET left_board_at = $2 WHERE race_id = ANY ($1)', [[late, lateExchange], at]);
  await leave(null);
  await archivePast(deps(1));
  const { dropped, kept } = await dropArchivedTicks(deps(50));
  expect([dropped, new Set(kept)]).toEqual([['2026-11-20', '2026-11-21'], new Set([late, lateExchange])]);
  expect([await count('price_ticks'), await count('price_breaks'), await count('exchange_ticks')]).toEqual([0, 0, 0]);
  await leave(after(640));
  await archivePast(deps(51));
  const closes = await closesOf(early);
  expect(closes).toContainEqual({ close: expect.objectContaining({ price: 2.1, isClosingLine: true }), reason: null });
  expect(await closesOf(late)).toEqual(closes);
  expect(await archiveOf(late)).toEqual(await archiveOf(early));
  expect(await archiveOf(lateExchange)).toEqual(await archiveOf(earlyExchange));
  expect((await archiveOf(lateExchange)).withheld_price_paths).toContainEqual(
    expect.objectContaining({ lay_price: 4.6 }),
  );
});

test.each(DAMAGES)(
  'where %s once a day of the race is gone, nothing of the other goes before its ticks are kept, and it is reported',
  async (_, damage) => {
    const raceId = await past();
    const whole = await past();
    await archivePast(deps(1));
    await dropArchivedTicks(deps(45));
    await db.pool.query(damage, [raceId]);
    const { retention } = deps(50).stores;
    expect(await retention.unarchived('2026-11-21')).toEqual([{ raceId, why: 'gap', ticks: 2 }]);
    expect(await retention.drop('2026-11-21', after(0))).toBe('unverified');
    expect(await count('price_ticks')).toBe(4);
    const report = await dropArchivedTicks(deps(50));
    expect(report).toEqual({ dropped: ['2026-11-21'], kept: [raceId] });
    expect(logged).toContain('the archive of a race has a gap: its ticks are kept');
    const kept = await db.pool.query('SELECT DISTINCT race_id FROM kept_ticks');
    expect(kept.rows).toEqual([{ race_id: raceId }]);
    expect([await count('kept_ticks'), await count('kept_breaks'), await count('price_ticks')]).toEqual([2, 1, 0]);
    expect(whole).not.toBe(raceId);
  },
);

test('a worker may drop no ticks by itself, and the API may not have them dropped', async () => {
  await expect(worker.query(`SELECT drop_chunks('price_ticks', older_than => now())`)).rejects.toThrow(/must be owner/);
  const api = poolAs(db, 'racing_api', 1);
  await expect(api.query(`SELECT drop_archived_ticks('2026-11-20', now())`)).rejects.toThrow(/permission denied/);
  await api.end();
});

test('ticks of the exchange go with their day, once the archive’s lay prices are those that follow from them', async () => {
  const raceId = await pastAtExchange();
  await archivePast(deps(1));
  const { rows } = await db.pool.query(
    'SELECT captured_at AS at, lay_price AS lay FROM withheld_price_paths WHERE race_id = $1 AND runner = 1 ORDER BY 1',
    [raceId],
  );
  expect(rows).toEqual([
    { at: after(-3000), lay: 7 },
    { at: after(-600), lay: 4.6 },
    { at: after(-60), lay: 4.6 },
  ]);
  expect(await dropArchivedTicks(deps(45))).toEqual({ dropped: ['2026-11-20'], kept: [] });
  expect(await count('exchange_ticks')).toBe(4);
  expect(await dropArchivedTicks(deps(50))).toEqual({ dropped: ['2026-11-21'], kept: [] });
  expect([await count('exchange_ticks'), await count('kept_exchange_ticks')]).toEqual([0, 0]);
});

test('ticks of the exchange that the archive has nothing of are kept: another market than WIN, or no captured price', async () => {
  const raceId = await pastAtExchange();
  const uncaptured = await pastAtExchange();
  const win = `1.${raceNumber}`;
  const place = `2.${raceNumber}`;
  await db.pool.query('DELETE FROM price_ticks WHERE race_id = $1', [uncaptured]);
  await db.pool.query(
    `INSERT INTO exchange_markets (market_id, race_id, market_type, version, status, in_play, bsp_reconciled, observed_at)
     VALUES ($1, $2, 'PLACE', 1, 'CLOSED', false, false, $3)`,
    [place, raceId, START],
  );
  await db.pool.query(
    'INSERT INTO exchange_ticks (at, market_id, selection_id, back_price, lay_price) VALUES ($2, $1, 11, 1.4, 1.5)',
    [place, after(-600)],
  );
  await archivePast(deps(1));
  logged.length = 0;
  expect(await deps(50).stores.retention.drop('2026-11-21', after(0))).toBe('unverified');
  expect(await dropArchivedTicks(deps(50))).toEqual({ dropped: ['2026-11-20', '2026-11-21'], kept: [] });
  const kept = await db.pool.query(
    'SELECT market_id AS market, count(*)::integer AS ticks FROM kept_exchange_ticks GROUP BY 1 ORDER BY 1',
  );
  expect(kept.rows).toEqual([
    { market: win, ticks: 10 },
    { market: place, ticks: 1 },
  ]);
  // It is no gap.
  expect(logged).toEqual(['days of ticks were dropped after their archive was verified']);
});

test.each(LAY_DAMAGES)(
  'where a lay price of the archive differs %s, the exchange’s ticks of that market and day are kept',
  async (_, damage) => {
    const raceId = await pastAtExchange();
    await pastAtExchange();
    await archivePast(deps(1));
    await db.pool.query(damage, [raceId]);
    // Its ticks went before those of the exchange did.
    await db.pool.query('TRUNCATE price_ticks, price_breaks');
    const { retention } = deps(50).stores;
    expect(await retention.drop('2026-11-21', after(0))).toBe('unverified');
    expect(await dropArchivedTicks(deps(50))).toEqual({ dropped: ['2026-11-20', '2026-11-21'], kept: [raceId] });
    expect(logged).toContain('the archive of a race has a gap: its exchange ticks are kept');
    const kept = await db.pool.query(
      `SELECT m.race_id, count(*)::integer AS ticks FROM kept_exchange_ticks JOIN exchange_markets m USING (market_id) GROUP BY 1`,
    );
    expect(kept.rows).toEqual([{ race_id: raceId, ticks: 4 }]);
    expect(await count('exchange_ticks')).toBe(0);
  },
);

test('while a day does not go, no later one does: a break may be of a tick of the day before', async () => {
  await past();
  await archivePast(deps(1));
  const { stores, ...rest } = deps(50);
  const { retention } = stores;
  const drop: typeof retention.drop = async (day, at) => (day === '2026-11-20' ? 'busy' : retention.drop(day, at));
  expect(await dropArchivedTicks({ ...rest, stores: { ...stores, retention: { ...retention, drop } } })).toEqual({
    dropped: [],
    kept: [],
  });
  expect([await count('price_ticks'), await count('price_breaks')]).toEqual([6, 1]);
});

test('a day that is in use is tried again after two seconds, and gone when it is free', async () => {
  await past();
  await archivePast(deps(1));
  const writer = await db.pool.connect();
  try {
    await writer.query('BEGIN');
    await writer.query('SELECT count(*) FROM price_ticks');
    let freed: Promise<unknown> | null = null;
    const report = await dropArchivedTicks(deps(50), () => {
      if (logged.includes('a day of ticks was not dropped')) freed ??= writer.query('COMMIT');
    });
    await freed;
    expect(logged.filter((what) => what === 'a day of ticks was not dropped')).toHaveLength(1);
    expect(report.dropped).toEqual(['2026-11-20', '2026-11-21']);
  } finally {
    writer.release();
  }
});
