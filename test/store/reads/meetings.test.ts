// The races of a venue for its page: whole days alone, as many as fit.
import { addDays } from '../../../src/domain/time/aet';
import { readMeetingsOfVenue } from '../../../src/store/reads/meetings/meeting-races';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const TODAY = '2026-11-21';
const MOST = 300;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** From 70 days back to 10 ahead, each with so many races. */
async function fill(venueId: string, racesADay: number, like: string): Promise<void> {
  await db.pool.query(
    `INSERT INTO races SELECT (jsonb_populate_record(r, jsonb_build_object('race_id', gen_random_uuid(), 'venue_id', $2::text,
        'meeting_date', d.day::date, 'race_number', n, 'start_time', d.day::timestamp AT TIME ZONE 'Australia/Sydney' + n * interval '3 hours'))).*
      FROM races r, generate_series($3::date - 70, $3::date + 10, interval '1 day') d(day), generate_series(1, $4) n
     WHERE r.race_id = $1`,
    [like, venueId, TODAY, racesADay],
  );
}

test.each([
  [1, 68],
  [4, 68],
  [5, 60],
  [6, 50],
  [7, 42],
])('of %i races a day: %i days, each whole, the newest first', async (racesADay, days) => {
  const { raceId } = await storeRace(db, { raceNumber: 90 + racesADay });
  const venueId = `venue-${racesADay}`;
  await fill(venueId, racesADay, raceId);
  const races = await readMeetingsOfVenue(db.pool, venueId, TODAY);
  expect(races.length).toBeLessThanOrEqual(MOST);
  const expected = Array.from({ length: days }, (_, i) => addDays(TODAY, 7 - i));
  expect([...new Set(races.map((race) => race.meeting_date))]).toEqual(expected);
  for (const day of expected) {
    const numbers = races.filter((race) => race.meeting_date === day).map((race) => race.race_number);
    expect([day, numbers]).toEqual([day, Array.from({ length: racesADay }, (_, i) => racesADay - i)]);
  }
});
