import { createStores } from '../../../../src/store/create-stores';
import type { Stores } from '../../../../src/store/stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedRunner } from '../../../support/races/builders';
import {
  FLEMINGTON,
  registryCard,
  registryCondition,
  registryListing,
  registryRace,
  registryRunner,
} from '../../../support/races/registry';

const READ = '2026-11-20T22:00:00.000Z';
const SHEET = '2026-11-21T00:00:00.000Z';
const STAMP = '2026-11-21T01:10:00.000Z';
const DOOMBEN = '2026Nov21,QLD,Doomben';
const WODONGA = '2026Nov24,VIC,Picklebet Park Wodonga';

let served: Served;
let stores: Stores;
let key: string;
const request = (search = '') => served.api.get(`/v1/racing/acceptances${search}`, key);
const get = async (search = '') => {
  const { status, body } = await request(search);
  expect(status).toBe(200);
  expectConforms('acceptances', body);
  return body;
};

beforeEach(async () => {
  served = await serve();
  stores = createStores(served.db.pool);
  key = await served.addKey();
});
afterEach(() => served.stop());

test('with nothing stored there is no meeting, and nothing is claimed', async () => {
  expect(await get()).toMatchObject({
    date: '2026-11-21',
    date_status: 'today',
    meeting_count: 0,
    race_count: 0,
    runner_count: 0,
    as_of: null,
    completeness: { counts_cover_every_published_meeting: true, meetings_acceptances_unpublished: 0 },
    meetings: [],
  });
});

/** Flemington: a race of four with an emergency, and one that no book polls; Doomben without a sheet. */
async function publish(): Promise<void> {
  const { registry } = stores;
  await registry.saveCalendar(
    [
      registryListing(),
      registryListing({ key: DOOMBEN, state: 'QLD', venue: 'Doomben', scratchings: false }),
      registryListing({ key: WODONGA, day: '2026-11-24', venue: 'Picklebet Park Wodonga', acceptances: false }),
    ],
    READ,
  );
  const first = {
    number: 1,
    name: 'BACK UP BARBIE (NZ)',
    barrier: 7,
    jockey: 'Ms G Palmer',
    trainer: 'A Trainer',
    trainerCode: '42',
    weightKg: 58.5,
    last10: '90x1',
    rating: 64,
  };
  const runners = [
    registryRunner(1, first),
    registryRunner(2),
    registryRunner(3),
    registryRunner(4, { emergency: true }),
  ];
  const facts = {
    conditions: 'BenchMark 64, Handicap',
    raceClass: 'BenchMark 64',
    prizeTotal: 30_000,
    trackName: 'Main',
  };
  const race = registryRace(1, { ...facts, prizes: { '1st': 16_500 }, fieldLimit: 14, runners });
  const track = { trackCondition: 'Good 4', rail: 'True', weather: 'Fine', penetrometer: '4.88', trackType: 'Turf' };
  await registry.saveAcceptances(registryCard({ track, statedRunners: 7, races: [race, registryRace(2)] }), READ);
  await registry.saveAcceptances(registryCard({ key: DOOMBEN }), '2026-11-20T22:05:00.000Z');
  const out = (...numbers: number[]) => numbers.map((number) => ({ number, name: `RUNNER ${number}` }));
  const races = [
    { raceNumber: 1, scratched: out(2, 4) },
    { raceNumber: 2, scratched: out(9) },
  ];
  await registry.saveSheet({ key: FLEMINGTON, races }, SHEET);
  await registry.saveTracks('VIC', [registryCondition({ trackCondition: 'Soft 5', rail: null })], SHEET);
}

test('a day: every count from the rows shown, and its limits', async () => {
  await publish();
  const body = await get();
  expect(body).toMatchObject({ meeting_count: 2, race_count: 3, runner_count: 10, as_of: READ });
  // Doomben's scratchings are unknown, so the day's are too.
  expect(body).toMatchObject({ emergency_count: 1, declared_count: 9, scratched_count: null, unscratched_count: null });
  expect(body).toMatchObject({ declared_scratched_count: null, declared_remaining_count: null });
  expect(body.completeness).toEqual({
    counts_cover_every_published_meeting: true,
    known_missing_runners: 1,
    meetings_acceptances_unpublished: 0,
    meetings_emergency_data_unknown: 0,
    meetings_scratching_data_unknown: 1,
    meetings_scratching_sheet_absent_for_whole_date: 0,
    meetings_withheld_acceptance_data_unknown: 2,
    races_checks_passed: 1,
    races_gap_detected: 1,
    races_unverified: 1,
    runners_without_emergency_data: 0,
    runners_without_scratching_data: 3,
    withheld_acceptance_slots: null,
    withheld_acceptance_slots_unplaced: null,
    withheld_acceptances: 'unknown_date',
  });
  const [doomben, flemington] = body.meetings;
  expect(doomben).toMatchObject({ venue: 'Doomben', scratching_data: 'unknown_meeting', scratched_count: null });
  expect(flemington).toMatchObject({
    venue: 'Flemington',
    venue_id: 'flemington',
    venue_norm: 'flemington',
    acceptances_published: true,
    publication_note: null,
    as_of: READ,
    race_count: 2,
    runner_count: 7,
    emergency_count: 1,
    declared_count: 6,
    scratched_count: 2,
    unscratched_count: 5,
    declared_scratched_count: 1,
    declared_remaining_count: 5,
    scratching_data: 'parsed',
    scratching_sheet_as_of: SHEET,
    withheld_acceptance_data: 'unknown',
    runner_set_status: 'gap_detected',
    track: {
      track_condition: 'Soft 5',
      going: 'Soft',
      going_rating: 5,
      rail: 'True',
      penetrometer: '4.88',
      track_type: 'Turf',
      track_info: null,
      dual_track: null,
    },
  });
});

test('a race and its runners, in saddlecloth order', async () => {
  await publish();
  const [, { races }] = (await get()).meetings;
  expect(races[0]).toMatchObject({
    race_number: 1,
    race_name: 'RACE 1',
    start_time_local: '2:00PM',
    distance_m: 1200,
    conditions: 'BenchMark 64, Handicap',
    race_class: 'BenchMark 64',
    prize_total: 30_000,
    prize_breakdown: { '1st': 16_500 },
    bonus: null,
    track_name: 'Main',
    field_limit: 14,
    runner_set_status: 'checks_passed',
    runner_set_note: null,
    missing_runners: [],
  });
  expect(races[0].runners.map((runner: { number: number }) => runner.number)).toEqual([1, 2, 3, 4]);
  expect(races[0].runners[0]).toEqual({
    number: 1,
    runner_name: 'BACK UP BARBIE (NZ)',
    runner_key: 'backupbarbie',
    runner_ref: 'ra:201201',
    horse_ref: 'pe:backupbarbie',
    barrier: 7,
    jockey: 'Ms G Palmer',
    trainer: 'A Trainer',
    weight_kg: 58.5,
    last10: '90x1',
    hcp_rating: 64,
    trainer_code: '42',
    raceentry_code: '584391',
    emergency: false,
    scratched: false,
    scratching: null,
  });
  const sheet = { scratched_at: SHEET, late: null, note: null };
  expect(races[0].runners[1]).toMatchObject({
    scratched: true,
    scratching: { ...sheet, emergency: false, eliminated: false },
  });
  expect(races[0].runners[3]).toMatchObject({
    emergency: true,
    scratching: { ...sheet, emergency: true, eliminated: null },
  });
  expect(races[1]).toMatchObject({
    runner_set_status: 'gap_detected',
    runner_set_note: expect.stringContaining('minimums'),
    missing_runners: [
      { number: 9, name: 'RUNNER 9', scratched: true, source: 'scratching_sheet', cause: 'not_determinable' },
    ],
  });
});

test('a book’s scratching is shown with the book’s own time, before any sheet has it', async () => {
  await publish();
  const scratching = { at: STAMP, late: true, winDeduction: null, placeDeduction: null };
  const field = [feedRunner(1, { name: 'Back Up Barbie' }), feedRunner(3, { scratching })];
  const { raceId } = await addRace(served.db.pool, {}, { tab: { runners: field } });
  await stores.registry.join({ meetingKey: FLEMINGTON, raceNumber: 1 }, raceId);
  await stores.registry.mergeDue(STAMP);
  const [, { races }] = (await get()).meetings;
  expect(races[0]).toMatchObject({ scratched_count: 3, unscratched_count: 1, declared_remaining_count: 1 });
  expect(races[0].runners[2]).toMatchObject({ scratched: true, scratching: { scratched_at: STAMP, late: true } });
});

test('a meeting whose acceptances are not published, or not read, is shown without counts', async () => {
  await publish();
  const later = await get('?date=2026-11-24');
  expect(later).toMatchObject({ date_status: 'future', meeting_count: 1, runner_count: 0, as_of: null });
  expect(later.completeness).toMatchObject({
    meetings_acceptances_unpublished: 1,
    withheld_acceptances: 'unknown_date',
  });
  expect(later.meetings[0]).toMatchObject({
    acceptances_published: false,
    publication_note: 'unpublished',
    race_count: null,
    runner_count: null,
    emergency_data: 'unknown',
    scratching_data: 'unknown_date',
    races: [],
  });
  await stores.registry.saveCalendar(
    [registryListing({ key: WODONGA, day: '2026-11-24', venue: 'Picklebet Park Wodonga' })],
    SHEET,
  );
  const out = await get('?date=2026-11-24');
  expect(out.completeness).toMatchObject({
    counts_cover_every_published_meeting: false,
    meetings_acceptances_unpublished: 0,
    meetings_emergency_data_unknown: 1,
    meetings_scratching_sheet_absent_for_whole_date: 1,
  });
});

test('a venue is found by either spelling, in any case; the sheets of the others still count for the day', async () => {
  await publish();
  const one = await get('?venue=DOOMBEN');
  expect(one).toMatchObject({ meeting_count: 1, race_count: 1, runner_count: 3, as_of: '2026-11-20T22:05:00.000Z' });
  expect(one.meetings[0].scratching_data).toBe('unknown_meeting');
  expect(await get('?date=2026-11-24&venue=wodonga')).toMatchObject({ meeting_count: 1 });
  expect(await get('?venue=Nowhere')).toMatchObject({ meeting_count: 0 });
});

test.each(['2026-11-17', '2026-11-25'])('%s is outside the range', async (date) => {
  const { status, body } = await request(`?date=${date}`);
  expect(status).toBe(422);
  expect(body.errors).toMatchObject([
    { parameter: 'date', detail: expect.stringContaining('2026-11-18 to 2026-11-24') },
  ]);
});

test.each(['2026-11-18', '2026-11-24'])('%s is inside the range', async (date) => {
  expect((await request(`?date=${date}`)).status).toBe(200);
});

test('reading the same pages again keeps the tag, and the data is as old as its oldest page', async () => {
  await publish();
  const etag = (await request()).headers.get('etag')!;
  await stores.registry.saveAcceptances(registryCard({ key: DOOMBEN }), SHEET);
  const again = await served.api.get('/v1/racing/acceptances', key, { 'If-None-Match': etag });
  expect(again.status).toBe(304);
  expect(again.headers.get('x-data-age-seconds')).toBe(String(5 * 3600));
});
