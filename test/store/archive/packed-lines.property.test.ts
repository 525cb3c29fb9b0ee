// Packed closing lines: no reader can find whether a race is packed, and a line goes only once its like is packed.
import fc from 'fast-check';
import type { Pool } from 'pg';
import { differingCounts } from '../../../src/store/archive/reconcile';
import { createRetentionStore } from '../../../src/store/archive/retention/retention';
import { grantRights, readRights } from '../../../src/store/pg/roles';
import { readArchivedCloses } from '../../../src/store/reads/archive/archived-closes';
import { createReads } from '../../../src/store/reads/reads';
import { runs } from '../../support/property';
import { archivedRace } from '../../support/races/archived-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { poolAs } from '../../support/servers/roles';

const DAY = '2026-08-20';
const START = `${DAY}T01:00:00.000Z`;
const AT = '2026-11-21T03:00:00.000Z';
const LATER = '2026-11-28T03:00:00.000Z';

let db: TestDatabase;
let worker: Pool;
let api: Pool;
let raceNumber = 0;
beforeAll(async () => {
  db = await createTestDatabase();
  worker = poolAs(db, 'racing_worker');
  api = poolAs(db, 'racing_api');
});
afterAll(async () => {
  await Promise.all([worker.end(), api.end()]);
  await db.drop();
});

/** Archived, and its ticks are gone. */
async function pastRace(): Promise<string> {
  raceNumber++;
  const books = { tab: [[3000, 3, 2] as const], pinnacle: [[600, 3.1, 2.2] as const] };
  const id = await archivedRace(db.pool, { startTime: START, meetingDate: DAY, raceNumber }, books);
  await db.pool.query('DELETE FROM price_ticks WHERE race_id = $1', [id]);
  await db.pool.query('UPDATE archived_races SET ticks_dropped_at = $2 WHERE race_id = $1', [id, AT]);
  return id;
}

const price = fc.oneof(
  fc.integer({ min: 101, max: 100_000 }).map((n) => n / 100),
  fc.integer({ min: 4, max: 40 }).map((n) => n / 3),
  fc.double({ min: 1.001, max: 1_000_000, noNaN: true }),
);
const leg = fc.option(price, { freq: 3 });
/** Zero is as ordinary as another, and often that of each line. */
const whole = fc.oneof(fc.constant(0), fc.integer({ min: -100_000, max: 100_000 }));
const line = fc
  .record({
    runner: fc.constantFrom(1, 2, 5, 9),
    bookmaker_key: fc.constantFrom('tab', 'neds', 'sportsbet', 'ladbrokes'),
    open_win_price: price,
    open_secs_to_jump: whole,
    close_win_price: price,
    close_secs_to_jump: whole,
    points_observed: fc.nat(),
    is_closing_line: fc.boolean(),
    open_is_baseline: fc.boolean(),
    open_place_price: leg,
    close_place_price: leg,
    open_top2_price: leg,
    open_top3_price: leg,
    open_top4_price: leg,
    close_top2_price: leg,
    close_top3_price: leg,
    close_top4_price: leg,
    close_found_by: fc.constantFrom('tick', 'poll', 'none'),
    close_age_s: whole,
    close_lay_price: leg,
    placed: fc.option(fc.tuple(price, whole)),
  })
  .map(({ placed, ...one }) => ({
    ...one,
    clv_place_price: placed?.[0] ?? null,
    clv_place_secs_to_jump: placed?.[1] ?? null,
  }));
const lines = fc.uniqueArray(line, { maxLength: 8, selector: (one) => one.runner + one.bookmaker_key });

async function withLines(id: string, shown: readonly unknown[], withheld: readonly unknown[]): Promise<void> {
  await db.pool.query('SELECT add_archived_day($1, -1)', [id]);
  for (const table of ['packed_closing_lines', 'packed_withheld_lines', 'closing_line_rows', 'withheld_line_rows'])
    await db.pool.query(`DELETE FROM ${table} WHERE race_id = $1`, [id]);
  await db.pool.query('UPDATE archived_races SET lines_packed_at = NULL WHERE race_id = $1', [id]);
  for (const [table, all] of [
    ['closing_line_rows', shown],
    ['withheld_line_rows', withheld],
  ] as const)
    await db.pool.query(
      `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, one || jsonb_build_object('race_id', $1::text, 'start_time', $3::text))).*
         FROM jsonb_array_elements($2) one`,
      [id, JSON.stringify(all), START],
    );
  await db.pool.query('SELECT count_archived_race($1)', [id]);
}

const VIEWS = ['archived_closing_lines', 'withheld_closing_lines'];
const rowsOf = async (id: string): Promise<unknown[][]> =>
  Promise.all(
    VIEWS.map(async (view) => {
      const text = `SELECT to_jsonb(l) AS row FROM ${view} l WHERE race_id = $1 ORDER BY runner, bookmaker_key`;
      return (await db.pool.query(text, [id])).rows;
    }),
  );
const packedOf = async (id: string): Promise<unknown[][]> =>
  Promise.all(
    ['packed_closing_lines', 'packed_withheld_lines'].map(
      async (table) => (await db.pool.query(`SELECT to_jsonb(l) AS row FROM ${table} l WHERE race_id = $1`, [id])).rows,
    ),
  );
const standing = async (id: string): Promise<number> =>
  (
    await db.pool.query(
      `SELECT (SELECT count(*) FROM closing_line_rows WHERE race_id = $1) + (SELECT count(*) FROM withheld_line_rows WHERE race_id = $1) AS n`,
      [id],
    )
  ).rows.map(({ n }) => Number(n))[0]!;

/** All that is read of closing lines, as the API and the worker read it. */
async function everyReading(id: string): Promise<unknown> {
  const { archive } = createReads(api, api);
  const all = { meetingDate: DAY, includeFlagged: true, includeScratched: true };
  const streamed: unknown[] = [];
  for await (const rows of archive.streamClosingLines(all, 1000)) streamed.push(...rows);
  const runners = [1, 2].map((number) => ({ raceId: id, number }));
  const bookmakers = ['tab', 'neds', 'sportsbet', 'ladbrokes'];
  const closes = (market: 'win' | 'place') => readArchivedCloses(api, { runners, bookmakers, market } as never);
  const ordered = async (market: 'win' | 'place') => (await closes(market)).map((one) => JSON.stringify(one)).sort();
  return {
    pages: [
      await archive.closingLines(all, { limit: 3, offset: 1 }),
      await archive.closingLines({ ...all, series: ['neds'], closingOnly: true }, { limit: 50, offset: 0 }),
    ],
    streamed,
    closes: [await ordered('win'), await ordered('place')],
    checksum: await archive.dayChecksum('line', DAY),
    differing: await differingCounts(worker, DAY as never),
  };
}

const retention = () => createRetentionStore(worker);

test('of any lines every reading is the same before and after they are packed, and nothing is left of the rows', async () => {
  const id = await pastRace();
  await fc.assert(
    fc.asyncProperty(lines, lines, async (shown, withheld) => {
      await withLines(id, shown, withheld);
      const [rows, readings] = [await rowsOf(id), await everyReading(id)];
      expect(rows.map(({ length }) => length)).toEqual([shown.length, withheld.length]);
      expect(await retention().pack(id, AT)).toBe(shown.length + withheld.length > 0 ? 'packed' : 'same');
      expect([await rowsOf(id), await standing(id)]).toEqual([rows, 0]);
      expect(await everyReading(id)).toEqual(readings);
      expect(await retention().pack(id, AT)).toBe('same');
      // Whatever became of the mark: what is packed stays.
      await db.pool.query('UPDATE archived_races SET lines_packed_at = NULL WHERE race_id = $1', [id]);
      expect(await retention().pack(id, AT)).toBe('same');
      const stood = await packedOf(id);
      for (const [table, view] of [
        ['closing_line_rows', VIEWS[0]],
        ['withheld_line_rows', VIEWS[1]],
      ])
        await db.pool.query(`INSERT INTO ${table} SELECT * FROM ${view} WHERE race_id = $1`, [id]);
      await db.pool.query('UPDATE archived_races SET lines_packed_at = NULL WHERE race_id = $1', [id]);
      expect(await retention().pack(id, AT)).toBe(shown.length + withheld.length > 0 ? 'differs' : 'same');
      expect([await packedOf(id), await standing(id)]).toEqual([stood, shown.length + withheld.length]);
    }),
    { numRuns: runs(100) },
  );
});

test('lines whose every nullable figure is null, or zero at the jump, are packed', async () => {
  const id = await pastRace();
  await retention().pack(id, AT);
  const at = { open_secs_to_jump: 0, close_secs_to_jump: 0, points_observed: 0, close_age_s: 0 };
  const prices = { open_win_price: 2, close_win_price: 3, is_closing_line: false, open_is_baseline: false };
  const bare = { runner: 1, bookmaker_key: 'tab', ...at, ...prices, close_found_by: 'none' };
  const placed = { ...bare, clv_place_price: 1.5, clv_place_secs_to_jump: 0 };
  for (const all of [[bare], [placed], [bare, { ...placed, runner: 2 }]]) {
    await withLines(id, all, all);
    const rows = await rowsOf(id);
    expect(await retention().pack(id, AT)).toBe('packed');
    expect([await rowsOf(id), await standing(id)]).toEqual([rows, 0]);
  }
});

test('what would differ stays, beside what is packed, and is tried again; a worker clears no line that is packed', async () => {
  const [packed, odd] = [await pastRace(), await pastRace()];
  // The seconds of a place close that has no price cannot be packed.
  await db.pool.query(
    'UPDATE closing_line_rows SET clv_place_price = NULL, clv_place_secs_to_jump = 5 WHERE race_id = $1',
    [odd],
  );
  const before = [await rowsOf(packed), await rowsOf(odd)];
  for (const done of ['packed', 'same']) expect(await retention().pack(packed, AT)).toBe(done);
  for (const _ of [1, 2]) expect(await retention().pack(odd, AT)).toBe('differs');
  await worker.query('SELECT clear_archived_race($1, true)', [packed]);
  expect([await rowsOf(packed), await rowsOf(odd)]).toEqual(before);
  expect([await standing(packed), await standing(odd)]).toEqual([0, before[1]![0]!.length]);
  expect((await retention().toPack(AT, LATER, null, 10)).map(({ raceId }) => raceId)).toContain(odd);
});

test('processes of the release before write rows by the old names, in their one statement, and not what is packed', async () => {
  const [rows, packed] = [await pastRace(), await pastRace()];
  await retention().pack(packed, AT);
  await db.pool.query(readRights());
  try {
    const [before, stood] = [await rowsOf(rows), await rowsOf(packed)];
    const moved = VIEWS.map((view) => `CREATE TABLE moved_${view} AS SELECT * FROM ${view} WHERE race_id = '${rows}'`);
    await db.pool.query(
      `${moved.join(';')}; GRANT SELECT ON ${VIEWS.map((view) => `moved_${view}`).join()} TO racing_worker`,
    );
    for (const view of VIEWS)
      for (const id of [rows, packed])
        await worker.query(`DELETE FROM ${view} WHERE start_time = $1 AND race_id = $2`, [START, id]);
    expect([await rowsOf(rows), await rowsOf(packed)]).toEqual([[[], []], stood]);
    const inserts = VIEWS.map((view) => `i_${view} AS (INSERT INTO ${view} SELECT * FROM moved_${view})`);
    await worker.query(`WITH ${inserts.join()} SELECT`);
    expect([await rowsOf(rows), await standing(rows)]).toEqual([before, before.flat().length]);
    const lay = 'UPDATE withheld_closing_lines SET close_lay_price = 3.3 WHERE race_id = $1';
    expect([(await worker.query(lay, [rows])).rowCount, (await worker.query(lay, [packed])).rowCount]).toEqual([2, 0]);
    expect(await rowsOf(packed)).toEqual(stood);
  } finally {
    await db.pool.query(`DROP TABLE ${VIEWS.map((view) => `moved_${view}`).join()}`);
    await grantRights(db.pool);
  }
  for (const view of VIEWS)
    await expect(worker.query(`INSERT INTO ${view} SELECT * FROM ${view} WHERE false`)).rejects.toMatchObject({
      code: '42501',
    });
});
