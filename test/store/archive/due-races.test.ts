// The passes over past races: a fact of a race of any age makes it due in its own transaction, it stays due until facts
// at least as new were read, and no other history is read for it.
import { archivePast } from '../../../src/activities/archive/archive-past';
import { DUE as ARCHIVE_DUE, createArchiveStore } from '../../../src/store/archive/archive';
import { createRunStore, DUE as RUNS_DUE } from '../../../src/store/runs/runs';
import { feedRunner, resultRunner } from '../../support/races/builders';
import { addPastRace } from '../../support/races/past-race';
import { polledRace } from '../../support/races/polled-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { untilBlocked } from '../../support/servers/lock-waiters';
import { poolAs } from '../../support/servers/roles';

const DAY_MS = 24 * 3_600_000;
const TODAY_MS = Date.parse('2026-11-21T03:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();

let db: TestDatabase;
let pool: ReturnType<typeof poolAs>;
let raceNumber = 0;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = poolAs(db, 'racing_worker');
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

const log = { warn: jest.fn(), info: jest.fn(), error: jest.fn() } as never;
const store = () => createArchiveStore(pool);
const pass = () => archivePast({ now: () => TODAY_MS, log, stores: { archive: store() } });
const rows = async <T>(text: string, ...values: unknown[]): Promise<T[]> =>
  (await db.pool.query(text, values)).rows as T[];
const isDue = async (raceId: string, work = 'archive') =>
  (await rows('SELECT FROM due_races WHERE work = $1 AND race_id = $2', work, raceId)).length === 1;
const factsOf = async (raceId: string) =>
  (
    await rows<{ same: boolean }>(
      'SELECT facts = archive_facts_with_marks(race_id) AS same FROM archived_races WHERE race_id = $1',
      raceId,
    )
  )[0]?.same;

/** Priced for its last hour, off the board. */
async function pastRace(daysAgo: number): Promise<string> {
  const startMs = TODAY_MS - daysAgo * DAY_MS;
  raceNumber++;
  const prices: Record<string, readonly [number, number, number, number][]> = {
    tab: [
      [3590, 3, 2.2, 5],
      [10, 2.8, 2.3, 5.5],
    ],
  };
  const { raceId } = await polledRace(db.pool, { startTime: iso(startMs), raceNumber, country: 'AU' }, prices);
  await db.pool.query(`UPDATE races SET left_board_at = $2, jumped_at = $3, phase = 'jumped' WHERE race_id = $1`, [
    raceId,
    iso(startMs + 640_000),
    iso(startMs),
  ]);
  return raceId;
}

const settle = (raceId: string, winner: number) =>
  db.pool.query(
    `INSERT INTO race_results (race_id, status, placings, placings_key, placings_since, field_status, updated_at) VALUES ($1, 'final', $2, $3, now(), 'pending', now())
     ON CONFLICT (race_id) DO UPDATE SET placings = EXCLUDED.placings, placings_key = EXCLUDED.placings_key, updated_at = now()`,
    [raceId, JSON.stringify([{ position: 1, number: winner, name: `Runner ${winner}` }]), `1:${winner}`],
  );

test('the next pass archives a race that is settled again after 60 days, and the race is then no longer due', async () => {
  const raceId = await pastRace(60);
  await settle(raceId, 1);
  expect(await pass()).toMatchObject({ archived: 1, failed: 0 });
  expect(await isDue(raceId)).toBe(false);
  await settle(raceId, 2);
  expect([await factsOf(raceId), await isDue(raceId)]).toEqual([false, true]);
  expect(await pass()).toMatchObject({ archived: 1, failed: 0 });
  expect([await factsOf(raceId), await isDue(raceId)]).toEqual([true, false]);
  expect(await pass()).toMatchObject({ archived: 0 });
});

test.each([
  ['a runner', 'UPDATE race_runners SET scratched = true WHERE race_id = $1 AND number = 2'],
  ['a runner that goes', 'DELETE FROM race_runners WHERE race_id = $1 AND number = 2'],
  ['the start', `UPDATE races SET start_time = start_time + interval '1 minute' WHERE race_id = $1`],
  [
    'the market’s close',
    `UPDATE races SET market_closed_at = start_time + interval '30 seconds', market_state_source = 'pointsbetau' WHERE race_id = $1`,
  ],
])('%s of a race 60 days ago makes it due', async (_, change) => {
  const raceId = await pastRace(60);
  await pass();
  expect(await isDue(raceId)).toBe(false);
  await db.pool.query(change, [raceId]);
  expect(await isDue(raceId)).toBe(true);
  await pass();
  expect([await factsOf(raceId), await isDue(raceId)]).toEqual([true, false]);
});

test('a fact written while its race is being archived leaves the race due, however late it commits', async () => {
  const raceId = await pastRace(3);
  await settle(raceId, 1);
  const writer = await db.pool.connect();
  try {
    await writer.query('BEGIN');
    await writer.query(
      `UPDATE race_results SET placings_key = '1:3', placings = '[{"position": 1, "number": 3, "name": "Runner 3"}]' WHERE race_id = $1`,
      [raceId],
    );
    // It reads the earlier facts, and waits for the writer to settle the mark.
    const archived = store().archive(raceId, iso(TODAY_MS));
    await untilBlocked(db.pool, writer);
    await writer.query('COMMIT');
    expect(await archived).toMatchObject({ verdict: 'written' });
  } finally {
    writer.release();
  }
  expect([await factsOf(raceId), await isDue(raceId)]).toEqual([false, true]);
  await pass();
  expect([await factsOf(raceId), await isDue(raceId)]).toEqual([true, false]);
});

test('a race with a poller stays due until it is past; a race that fails stays due and does not stop others', async () => {
  const polled = await pastRace(1);
  await db.pool.query(
    `INSERT INTO race_control (race_id, epoch, tier, advertised_start, updated_at) SELECT race_id, 1, 'live', start_time, start_time FROM races WHERE race_id = $1`,
    [polled],
  );
  const broken = await pastRace(2);
  const whole = await pastRace(2);
  const archive = store();
  const failing = {
    ...archive,
    archive: (id: string, at: string) => (id === broken ? Promise.reject(new Error('away')) : archive.archive(id, at)),
  };
  expect(await archivePast({ now: () => TODAY_MS, log, stores: { archive: failing } })).toMatchObject({
    archived: 1,
    failed: 1,
  });
  expect(await Promise.all([polled, broken, whole].map((id) => isDue(id)))).toEqual([true, true, false]);
  await db.pool.query(`UPDATE race_control SET tier = 'none' WHERE race_id = $1`, [polled]);
  expect(await pass()).toMatchObject({ archived: 2, failed: 0 });
});

test('the audit finds, in turn, what no trigger noticed, and starts over after the oldest', async () => {
  const [newest, oldest] = [await pastRace(4), await pastRace(400)];
  await pass();
  await db.pool.query(`UPDATE archived_races SET facts = 'of older rules' WHERE race_id = ANY ($1)`, [
    [newest, oldest],
  ]);
  const past = (await rows('SELECT FROM races WHERE left_board_at IS NOT NULL')).length;
  const found: number[] = [];
  // Two turns of a few at a time.
  for (let compared = 0; compared < 2 * past + 6; compared += 3) found.push(await store().audit(3));
  expect(found.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(2);
  expect(await Promise.all([newest, oldest].map((id) => isDue(id)))).toEqual([true, true]);
  await pass();
  expect([await factsOf(newest), await factsOf(oldest)]).toEqual([true, true]);
});

test('a race that a worker of the release before archived, without marks, is archived again and keeps its ticks until then', async () => {
  const raceId = await pastRace(5);
  await pass();
  const whole = await rows('SELECT * FROM archived_marks WHERE race_id = $1 ORDER BY 2, 3', raceId);
  expect(whole.length).toBeGreaterThan(0);
  await rows('SELECT add_archived_day($1, -1)', raceId);
  await rows('DELETE FROM archived_marks WHERE race_id = $1', raceId);
  await rows('UPDATE archived_races SET facts = archive_facts_now(race_id) WHERE race_id = $1', raceId);
  await rows('SELECT add_archived_day($1, 1)', raceId);
  const day = iso(TODAY_MS - 5 * DAY_MS).slice(0, 10);
  const unarchived = `SELECT why FROM unarchived_ticks($2::date, $2::date + 1) WHERE race_id = $1`;
  expect(await rows(unarchived, raceId, day)).toEqual([{ why: 'other_facts' }]);
  await rows('UPDATE archive_audit SET before_start = NULL, before_race = NULL');
  expect(await store().audit(500)).toBe(1);
  await pass();
  expect(await rows('SELECT * FROM archived_marks WHERE race_id = $1 ORDER BY 2, 3', raceId)).toEqual(whole);
  expect(await rows(unarchived, raceId, day)).toEqual([]);
});

test('marks make runs due: harness races leave none, and a result that changes again stays due', async () => {
  const of = (category: 'harness' | 'greyhound', n: number) =>
    addPastRace(db.pool, {
      startTime: iso(TODAY_MS - n * DAY_MS),
      category,
      venue: `Track ${n}`,
      runners: [feedRunner(1, { name: 'Quick Sixpence' })],
      placings: [{ position: 1, number: 1, name: 'Quick Sixpence' }],
    });
  const harness = await of('harness', 70);
  const dogs = await of('greyhound', 71);
  expect([await isDue(harness, 'runs'), await isDue(dogs, 'runs')]).toEqual([true, true]);
  const runs = createRunStore(pool);
  await runs.due(10);
  expect(await isDue(harness, 'runs')).toBe(false);
});

test('the audit finds runs that no trigger marked, and takes a race without a workflow off the board a day after its start', async () => {
  const dogs = await addPastRace(db.pool, {
    ...{ startTime: iso(TODAY_MS - 80 * DAY_MS), category: 'greyhound' as const, venue: 'Track 80' },
    runners: [feedRunner(1, { name: 'Quick Sixpence' })],
    placings: [{ position: 1, number: 1, name: 'Quick Sixpence' }],
    field: [resultRunner(1, { name: 'Quick Sixpence', position: 1 })],
  });
  const left = await pastRace(1.5);
  await db.pool.query('UPDATE races SET left_board_at = NULL WHERE race_id = $1', [left]);
  await db.pool.query("UPDATE races SET left_board_at = start_time + interval '1 hour' WHERE race_id = $1", [dogs]);
  await pass();
  await db.pool.query('DELETE FROM due_races');
  await db.pool.query('DELETE FROM filled_runs');
  await db.pool.query('UPDATE archive_audit SET before_start = NULL, before_race = NULL');
  await store().audit(500);
  expect(await isDue(dogs, 'runs')).toBe(true);
  const [race] = await rows<{ off: boolean }>(
    'SELECT left_board_at IS NOT NULL AS off FROM races WHERE race_id = $1',
    left,
  );
  expect([race!.off, await factsOf(left)]).toEqual([true, true]);
});

test('due races are read by their marks, without scanning the whole history', async () => {
  const plan = async ({ text }: { text: string }) =>
    (await rows<{ 'QUERY PLAN': string }>(`EXPLAIN ${text.replace('$1', '500')}`))
      .map((row) => row['QUERY PLAN'])
      .join('\n');
  await db.pool.query(
    `INSERT INTO races SELECT p.* FROM (SELECT * FROM races WHERE left_board_at IS NOT NULL LIMIT 1) r CROSS JOIN generate_series(1, 3000) n
       CROSS JOIN LATERAL jsonb_populate_record(NULL::races, to_jsonb(r) || jsonb_build_object(
         'race_id', gen_random_uuid(), 'start_time', r.start_time - n * interval '1 day', 'meeting_date', r.meeting_date - n)) p`,
  );
  await db.pool.query('DELETE FROM due_races');
  await db.pool.query('ANALYZE races, due_races, archived_races, race_results, filled_runs');
  expect(await plan(ARCHIVE_DUE)).not.toMatch(/Seq Scan on (races|archived_races)/);
  expect(await plan(RUNS_DUE)).not.toMatch(/Seq Scan on (races|race_results)/);
});
