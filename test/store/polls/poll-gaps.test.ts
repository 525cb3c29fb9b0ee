// The gaps between polls of a book, from which the age of its quotes at an instant follows.
import { REAL_TIME } from '../../../src/domain/time/clock';
import { readMigrations } from '../../../src/store/pg/migrate';
import { createPool } from '../../../src/store/pg/pool';
import { feedField } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { asLogin } from '../../support/servers/roles';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** By time, in seconds before the start: the poll before, and the poll that ended the gap. */
async function gapsOf(raceId: string): Promise<unknown[]> {
  const { rows } = await db.pool.query(
    `SELECT extract(epoch FROM r.start_time - g.seen_before)::integer AS from, extract(epoch FROM r.start_time - g.at)::integer AS until
       FROM poll_gaps g JOIN races r USING (race_id) WHERE race_id = $1 ORDER BY g.at`,
    [raceId],
  );
  return rows.map(({ from, until }) => [from, until]);
}

test('the first captured price has a row, and so has every gap of more than two minutes, whatever ended it', async () => {
  const race = await storeRace(db, { venue: 'Gaps' });
  const runners = feedField(2, 3);
  for (const seconds of [7200, 5000, 3700]) await race.poll(seconds, { runners });
  expect(await gapsOf(race.raceId)).toEqual([]);
  await race.poll(3590, { runners });
  await race.poll(3470, { runners });
  await race.poll(3349, { runners });
  await race.poll(3100, null);
  await race.poll(2900, { runners: feedField(2.5, 3) });
  await race.poll(2800, { runners: feedField(null, null) });
  await race.poll(2600, { runners });
  expect(await gapsOf(race.raceId)).toEqual([
    [3700, 3590],
    [3470, 3349],
    [3349, 3100],
    [3100, 2900],
    [2800, 2600],
  ]);
});

test('a poll that is stored twice leaves one row', async () => {
  const race = await storeRace(db, { venue: 'Gaps twice' });
  for (const seconds of [3000, 3000, 2000, 2000, 2500]) await race.poll(seconds, { runners: feedField(2, 3) });
  expect(await gapsOf(race.raceId)).toEqual([
    [null, 3000],
    [3000, 2000],
  ]);
});

test.each(['racing_worker', 'racing_api'] as const)(
  'between the migration of the table and the rights to it, %s goes on polling, and gaps are noted',
  async (group) => {
    const own = await createTestDatabase();
    const pool = createPool(asLogin(own.url, group), 1);
    try {
      for (const table of ['kept_gaps', 'poll_gaps']) await own.pool.query(`DROP TABLE ${table} CASCADE`);
      await own.pool.query(readMigrations().find(({ name }) => name === '0241_poll_gaps.sql')!.sql);
      const { raceId } = await storeRace(own, { venue: 'Gaps unready' });
      const polled = `UPDATE race_books SET polled_at = $2, ticked_win = '{2}' WHERE race_id = $1`;
      for (const at of ['2026-11-21T01:00:00Z', '2026-11-21T02:00:00Z']) await pool.query(polled, [raceId, at]);
      expect((await own.pool.query('SELECT count(*)::integer AS n FROM poll_gaps')).rows).toEqual([{ n: 2 }]);
      await expect(pool.query('SELECT FROM poll_gaps')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await pool.end();
      await own.drop();
    }
  },
);

test('after a time that was ahead of the clock nothing is known of the gaps before', async () => {
  const pool = createPool(asLogin(db.url, 'racing_worker'), 1, { clock: REAL_TIME });
  try {
    const startMs = Date.now() + 30 * 60_000;
    const listed = { venue: 'Gaps ahead', startTime: new Date(startMs).toISOString() };
    const judged = await storeRace({ ...db, pool }, listed);
    const unjudged = await storeRace(db, listed, undefined, judged.raceId);
    const secs = (fromNowMs: number): number => (startMs - Date.now() - fromNowMs) / 1000;
    await judged.poll(secs(-600_000), { runners: feedField(2) });
    await unjudged.poll(secs(600_000), { runners: feedField(2) });
    expect(await gapsOf(judged.raceId)).toHaveLength(2);
    await judged.poll(secs(0), { runners: feedField(3) });
    expect(await gapsOf(judged.raceId)).toEqual([]);
  } finally {
    await pool.end();
  }
});
