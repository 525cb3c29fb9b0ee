// The life of a full field as customers see it in results and in coverage: awaited with the instant of the next pass,
// overdue, given up, and complete whenever it comes (A 3, A 2.12, D25). No workflow is needed: the response follows
// from the facts and the time.
import { settleCoverage } from '../../../../src/activities/full-field/settle-coverage';
import { createStores } from '../../../../src/store/create-stores';
import type { Stores } from '../../../../src/store/stores';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { feedResult, placedRace, resultRunner } from '../../../support/races/builders';

let served: Served;
let stores: Stores;
let key: string;
beforeAll(async () => {
  served = await serve();
  stores = createStores(served.db.pool);
  key = await served.addKey();
});
afterAll(() => served.stop());

const DAY = '2026-11-03';
const START = `${DAY}T03:00:00.000Z`;
const FIELD = [1, 2, 3].map((number) => resultRunner(number));
let meetings = 0;

/** A race whose result came at `at`; every race is a separate meeting. */
async function ran(at: string, category: 'horse' | 'greyhound' = 'horse') {
  meetings += 1;
  const listed = { venue: `Track ${meetings}`, meetingDate: DAY, startTime: START, category };
  const { raceId } = await addRace(served.db.pool, listed, { tab: { at: START } });
  await stores.results.saveResult({ raceId, source: 'tab', result: feedResult(), at });
  return { raceId, venueId: `track-${meetings}`, fill: category === 'horse' ? 'racing_australia' : 'topaz' } as const;
}

/** The writes of a pass that finds no field. */
const passed = (raceId: string, at: string) =>
  served.db.pool.query('UPDATE race_results SET field_last_pass_at = $2 WHERE race_id = $1', [raceId, at]);

const NOTES = {
  pending: /^collector pass expected at (\S+Z)$/,
  overdue: /^a collector pass ran without a field; next pass at (\S+Z)$/,
};

/** The status, and the instant in the note as a client would read it. Coverage must report the same for the meeting. */
async function fieldState({ raceId, venueId }: { raceId: string; venueId: string }, now: string) {
  served.api.now = Date.parse(now);
  const rows = (await served.api.get(`/v1/racing/results?date=${DAY}&limit=200`, key)).body;
  const { field_status: status, field_note: note, runners } = rows.find((row: Row) => row.race_id === raceId);
  const { venues_incomplete } = (await served.api.get('/v1/racing/results/coverage?days=30', key)).body;
  const meeting = venues_incomplete.find((row: Row) => row.venue_id === venueId);
  if (status === 'complete') expect([meeting, runners.length, note]).toEqual([undefined, FIELD.length, null]);
  else expect([meeting.races, meeting[status], runners]).toEqual([1, 1, null]);
  const instant = NOTES[status as keyof typeof NOTES]?.exec(note)?.[1];
  return instant === undefined ? [status] : [status, new Date(instant).toISOString()];
}

type Row = Record<string, string | number>;

test('a thoroughbred: pending until a pass has run, however late that is; overdue with the next; unavailable after six days; complete', async () => {
  const race = await ran('2026-11-03T03:05:00.000Z');
  expect(await fieldState(race, '2026-11-03T03:06:00.000Z')).toEqual(['pending', '2026-11-03T19:00:00.000Z']);
  expect(await fieldState(race, '2026-11-03T18:59:59.000Z')).toEqual(['pending', '2026-11-03T19:00:00.000Z']);
  // The pass did not run: nothing was tried, so nothing is overdue, and the note names the next pass.
  expect(await fieldState(race, '2026-11-03T19:00:00.000Z')).toEqual(['pending', '2026-11-04T19:00:00.000Z']);
  await passed(race.raceId, '2026-11-03T19:00:07.000Z');
  expect(await fieldState(race, '2026-11-03T19:00:08.000Z')).toEqual(['overdue', '2026-11-04T19:00:00.000Z']);
  await passed(race.raceId, '2026-11-04T19:00:07.000Z');
  expect(await fieldState(race, '2026-11-04T19:00:08.000Z')).toEqual(['overdue', '2026-11-05T19:00:00.000Z']);
  expect(await fieldState(race, '2026-11-08T19:00:00.000Z')).toEqual(['overdue']);
  expect(await fieldState(race, '2026-11-09T02:59:59.000Z')).toEqual(['overdue']);
  expect(await fieldState(race, '2026-11-09T03:00:00.000Z')).toEqual(['unavailable']);
  await stores.results.fillField(race.raceId, FIELD, race.fill, '2026-11-20T03:00:00.000Z');
  expect(await fieldState(race, '2026-11-20T03:00:00.000Z')).toEqual(['complete']);
});

test('a greyhound: two passes a day by UTC, for ten days', async () => {
  const race = await ran('2026-11-03T03:05:00.000Z', 'greyhound');
  expect(await fieldState(race, '2026-11-03T03:06:00.000Z')).toEqual(['pending', '2026-11-03T22:30:00.000Z']);
  await passed(race.raceId, '2026-11-03T22:30:09.000Z');
  expect(await fieldState(race, '2026-11-03T22:31:00.000Z')).toEqual(['overdue', '2026-11-04T00:30:00.000Z']);
  expect(await fieldState(race, '2026-11-13T00:30:00.000Z')).toEqual(['overdue']);
  expect(await fieldState(race, '2026-11-13T03:00:00.000Z')).toEqual(['unavailable']);
});

test('a race that resulted two weeks late has no pass left, and a field can still complete it', async () => {
  const race = await ran('2026-11-17T03:00:00.000Z');
  expect(await fieldState(race, '2026-11-17T03:01:00.000Z')).toEqual(['unavailable']);
  expect(await stores.results.acceptField(race.raceId, FIELD, race.fill, '2026-11-18T03:00:00.000Z')).toBe('filled');
  expect(await fieldState(race, '2026-11-18T03:00:00.000Z')).toEqual(['complete']);
});

test('a field that arrives before any pass completes the race', async () => {
  const race = await ran('2026-11-03T03:05:00.000Z');
  await stores.results.acceptField(race.raceId, FIELD, race.fill, '2026-11-03T05:00:00.000Z');
  expect(await fieldState(race, '2026-11-03T05:00:00.000Z')).toEqual(['complete']);
  expect(await fieldState(race, '2026-11-15T05:00:00.000Z')).toEqual(['complete']);
});

test('after a late country the field is awaited and stored like any other (D25)', async () => {
  const placed = placedRace({ venue: 'Somewhere', meetingDate: DAY, startTime: START, country: null });
  const at = '2026-11-03T03:05:00.000Z';
  await stores.races.saveCard('tab', [placed], START);
  await stores.results.saveResult({ raceId: placed.raceId, source: 'tab', result: feedResult(), at });
  const awaited = async () => (await stores.published.awaitingField()).map(({ raceId }) => raceId);
  expect(await awaited()).not.toContain(placed.raceId);
  expect(await stores.results.acceptField(placed.raceId, FIELD, 'racing_australia', at)).toBe('unsupported');

  const listed = { ...placed.listed, sourceRaceId: 'another book', country: 'AU' };
  await stores.races.saveCard('ladbrokes_au', [{ ...placed, listed }], at);
  const race = { raceId: placed.raceId, venueId: 'somewhere' };
  expect(await fieldState(race, '2026-11-03T03:06:00.000Z')).toEqual(['pending', '2026-11-03T19:00:00.000Z']);
  expect(await awaited()).toContain(placed.raceId);
  const collector = { pass: async () => false };
  await settleCoverage({ stores, now: () => Date.parse('2026-11-03T19:20:00.000Z') } as never, collector);
  expect(await fieldState(race, '2026-11-03T19:20:00.000Z')).toEqual(['overdue', '2026-11-04T19:00:00.000Z']);
  expect(await stores.results.acceptField(placed.raceId, FIELD, 'racing_australia', at)).toBe('filled');
  expect(await fieldState(race, '2026-11-03T19:21:00.000Z')).toEqual(['complete']);
});
