// When the work of each Schedule last succeeded, and a server's report of its standbys.
import { readReplication } from '../../src/store/gauges/replication';
import { createScheduleRuns, readScheduleAges } from '../../src/store/schedule-runs';
import { createTestDatabase, type TestDatabase } from '../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const runs = () => createScheduleRuns(db.pool);
const grow = (hours: number) =>
  db.pool.query(`UPDATE schedule_runs SET succeeded_at = succeeded_at - $1::int * interval '1 hour'`, [hours]);
const hoursOld = async () =>
  Object.fromEntries((await readScheduleAges(db.pool)).map(({ schedule, age }) => [schedule, Math.floor(age / 3600)]));

test('a Schedule that has never succeeded ages from its first start; a success resets its age; a deleted one has none', async () => {
  await runs().expect(['race-sweep', 'old-work']);
  await grow(5);
  await runs().expect(['race-sweep', 'archive-past']);
  expect(await hoursOld()).toEqual({ 'archive-past': 0, 'race-sweep': 5 });
  await grow(1);
  await runs().succeeded('race-sweep');
  expect(await hoursOld()).toEqual({ 'archive-past': 1, 'race-sweep': 0 });
  // A worker of the next release succeeds before any has listed its Schedules.
  await runs().succeeded('new-work');
  expect(await hoursOld()).toEqual({ 'archive-past': 1, 'new-work': 0, 'race-sweep': 0 });
});

test('a primary has no replication delay, and reports the WAL that a slot retains', async () => {
  const slot = `kept_${process.pid}`;
  await db.pool.query('SELECT pg_create_physical_replication_slot($1, true)', [slot]);
  try {
    const { behind, kept } = await readReplication(db.pool);
    expect(behind).toBeNull();
    expect(kept).toBeGreaterThanOrEqual(0);
  } finally {
    await db.pool.query('SELECT pg_drop_replication_slot($1)', [slot]);
  }
});
