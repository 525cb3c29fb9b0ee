// The races of a venue for its page: whole days alone, as many as fit; and what their closes were worth.

import { createMeetingSource } from '../../../src/api/pages/meeting-source';
import { addDays } from '../../../src/domain/time/aet';
import { createLiveReads } from '../../../src/store/reads/live-board';
import { readMeetingsOfVenue } from '../../../src/store/reads/meetings/meeting-races';
import { createReads } from '../../../src/store/reads/reads';
import { venueMain } from '../../../src/web/meetings/venue-page';
import { meetingRace } from '../../support/pages/meeting-race';
import { archivedRace } from '../../support/races/archived-race';
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

const recordOf = (venueId: string, today = TODAY) =>
  createMeetingSource({ reads: createReads(db.pool), liveReads: createLiveReads(db.pool) }).record(venueId, today);

test('the record of a venue counts races with a final result and one favourite, since the first of them', async () => {
  const race = (number: number, placed: number[] | null, prices: readonly number[], over = {}) => {
    const quotes = { ladbrokes_au: [[60, ...prices] as const], tab: [[50, ...prices] as const] };
    const startTime = `2026-11-20T0${number}:00:00.000Z`;
    const listed = {
      venue: 'Pakenham',
      country: 'AU',
      raceNumber: number,
      startTime,
      meetingDate: '2026-11-20',
      ...over,
    };
    return archivedRace(db.pool, { ...listed, ...(placed && { placed }) }, quotes);
  };
  expect(await recordOf('pakenham')).toEqual([]);
  await race(1, [1, 2, 3], [2, 4, 4]);
  await race(2, [2, 1, 3], [2, 4, 4]);
  // Two favourites, no result, another venue, a book that customers may not see alone.
  await race(3, [3, 1, 2], [2.5, 2.5, 5]);
  await race(4, null, [2, 4, 4]);
  await race(5, [1, 2, 3], [2, 4, 4], { venue: 'Sale' });
  const [record, ...others] = await recordOf('pakenham');
  expect(others).toEqual([]);
  expect(record).toMatchObject({
    category: 'horse',
    races: 3,
    withFavourite: 2,
    favouritesWon: 1,
    since: '2026-11-20',
  });
  // The winners' consensus is without the books' margins: longer than 2.00, 4.00 and 5.00.
  expect(record!.medianWinner).toBeCloseTo(4, 1);
  expect(await recordOf('pakenham', '2027-02-01')).toEqual([]);
  const options = { nowMs: Date.parse('2026-11-21T03:00:00Z'), today: TODAY };
  const page = venueMain([meetingRace()], [record!], options).text.replace(/<[^>]+>/g, '');
  expect(page).toContain('Since Fri 20 Nov: the favourite at the close won 1 of 2 races. By');
  const many = { ...record!, races: 40, withFavourite: 40, favouritesWon: 10 };
  expect(venueMain([meetingRace()], [many], options).text).toContain(
    'won 10 of 40 races (25%). Half of the winners closed at',
  );
});
