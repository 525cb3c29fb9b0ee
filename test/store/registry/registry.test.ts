import { createStores } from '../../../src/store/create-stores';
import type { Stores } from '../../../src/store/stores';
import { placedRace } from '../../support/races/builders';
import {
  FLEMINGTON,
  registryCard,
  registryCondition,
  registryListing,
  registryRace,
  registryRunner,
} from '../../support/races/registry';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
let stores: Stores;
beforeEach(async () => {
  db = await createTestDatabase();
  stores = createStores(db.pool);
});
afterEach(() => db.drop());

const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`;
const rows = async (table: string) => (await db.pool.query(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4, 5`)).rows;
const TABLES = [
  'registry_races',
  'registry_runners',
  'registry_scratchings',
  'registry_changes',
  'registry_track_changes',
];
const dump = async () => Object.fromEntries(await Promise.all(TABLES.map(async (table) => [table, await rows(table)])));
const changes = async () =>
  (await rows('registry_changes')).map(({ kind, race_number, number, was, is_now }) => [
    kind,
    race_number,
    number,
    was,
    is_now,
  ]);

test('a meeting is on the calendar before its acceptances are published, under our spelling of its venue', async () => {
  const sponsored = registryListing({
    key: '2026Nov21,VIC,Sportsbet Sandown Hillside',
    venue: 'Sportsbet Sandown Hillside',
  });
  await stores.registry.saveCalendar([registryListing({ acceptances: false }), sponsored], at(1));
  await stores.registry.saveCalendar([registryListing()], at(3));
  expect(await rows('registry_meetings')).toMatchObject([
    {
      meeting_key: FLEMINGTON,
      published: true,
      first_seen_at: at(1),
      listed_at: at(3),
      as_of: null,
      sheet_as_of: null,
    },
    { venue: 'Sportsbet Sandown Hillside', venue_id: 'sandown', listed_at: at(1) },
  ]);
});

test('repeated acceptances, sheets and tracks update only the time of reading', async () => {
  const { registry } = stores;
  await registry.saveCalendar([registryListing()], at(1));
  const card = registryCard({
    races: [registryRace(1, { prizes: { '1st': 1000 } }), registryRace(2, { startTime: null, startLocal: null })],
  });
  const sheet = { key: FLEMINGTON, races: [{ raceNumber: 1, scratched: [{ number: 2, name: 'RUNNER 2' }] }] };
  expect(await registry.saveAcceptances(card, at(1))).toBe(8);
  expect(await registry.saveSheet(sheet, at(1))).toBe(1);
  expect(await registry.saveTracks('VIC', [registryCondition()], at(1))).toBe(1);
  const before = await dump();
  expect(await registry.saveAcceptances(card, at(3))).toBe(0);
  expect(await registry.saveSheet(sheet, at(3))).toBe(0);
  expect(await registry.saveTracks('VIC', [registryCondition({ trackCondition: 'GOOD (4)' })], at(3))).toBe(0);
  expect(await dump()).toEqual(before);
  expect(await rows('registry_meetings')).toMatchObject([{ as_of: at(3), sheet_as_of: at(3) }]);
});

test('a difference is logged with its old value; removed facts are deleted and logged', async () => {
  const { registry } = stores;
  await registry.saveCalendar([registryListing()], at(1));
  await registry.saveAcceptances(registryCard({ races: [registryRace(1), registryRace(2)] }), at(1));
  expect(await changes()).toEqual([['published', 0, 0, null, {}]]);
  const runners = [registryRunner(1, { jockey: 'J New' }), registryRunner(3), registryRunner(4)];
  await registry.saveAcceptances(registryCard({ races: [registryRace(1, { runners })] }), at(3));
  expect(
    (await changes()).slice(1).map(([kind, race, number, was, now]) => [kind, race, number, !!was, !!now]),
  ).toEqual([
    ['race', 2, 0, true, false],
    ['runner', 1, 1, true, true],
    ['runner', 1, 2, true, false],
    ['runner', 1, 4, false, true],
    ['runner', 2, 1, true, false],
    ['runner', 2, 2, true, false],
    ['runner', 2, 3, true, false],
  ]);
  expect((await rows('registry_runners')).map(({ number, jockey }) => [number, jockey])).toEqual([
    [1, 'J New'],
    [3, null],
    [4, null],
  ]);
});

test('a late reading changes nothing, and a meeting that is on no calendar is not stored', async () => {
  const { registry } = stores;
  await registry.saveCalendar([registryListing()], at(1));
  await registry.saveAcceptances(registryCard(), at(5));
  const before = await dump();
  expect(await registry.saveAcceptances(registryCard({ races: [registryRace(9)] }), at(3))).toBe(0);
  expect(await registry.saveAcceptances(registryCard({ key: '2026Nov21,VIC,Nowhere' }), at(6))).toBe(0);
  expect(await dump()).toEqual(before);
});

test('a scratching is official from the first sheet that shows it until a sheet shows the race without it', async () => {
  const { registry } = stores;
  await registry.saveCalendar([registryListing()], at(1));
  await registry.saveAcceptances(registryCard(), at(1));
  const sheet = (...scratched: number[]) => ({
    key: FLEMINGTON,
    races: [{ raceNumber: 1, scratched: scratched.map((number) => ({ number, name: `RUNNER ${number}` })) }],
  });
  await registry.saveSheet(sheet(2), at(2));
  expect(await registry.saveSheet(sheet(2, 3), at(4))).toBe(1);
  expect(await registry.saveSheet(sheet(), at(3))).toBe(0);
  expect(await registry.saveSheet({ key: FLEMINGTON, races: [{ raceNumber: 2, scratched: [] }] }, at(5))).toBe(0);
  expect((await rows('registry_scratchings')).map(({ number, sheet_at }) => [number, sheet_at])).toEqual([
    [2, at(2)],
    [3, at(4)],
  ]);
  expect(await registry.saveSheet(sheet(3), at(6))).toBe(1);
  expect((await changes()).at(-1)).toEqual([
    'scratching',
    1,
    2,
    { name: 'RUNNER 2', sheetAt: expect.any(String) },
    null,
  ]);
});

describe('official track', () => {
  test('the first rating of a meeting has no previous one; only another meaning is a change; a field no longer stated keeps its age', async () => {
    const { registry, races } = stores;
    const race = placedRace({ venue: 'Flemington' });
    await races.saveCard('tab', [race], at(0));
    const read = (hour: number, over: Parameters<typeof registryCondition>[0]) =>
      registry.saveTracks('VIC', [registryCondition(over)], at(hour));
    expect(await read(1, { trackCondition: null, rail: 'True' })).toBe(0);
    expect(await read(2, { trackCondition: 'Good 4', weather: 'Fine' })).toBe(1);
    const stamp = async () => (await rows('races'))[0].track_condition_changed_at;
    expect(await stamp()).toBeNull();
    expect(await read(3, { trackCondition: 'Good (4)' })).toBe(0);
    expect(await read(4, { trackCondition: 'Soft 5' })).toBe(1);
    expect(await read(5, { trackCondition: null })).toBe(0);
    expect(await rows('registry_track_changes')).toMatchObject([
      { observed_at: at(2), track_condition: 'Good 4', weather: 'Fine', prev_track_condition: null },
      { observed_at: at(4), track_condition: 'Soft 5', prev_track_condition: 'Good (4)' },
    ]);
    expect(await stamp()).toBe(at(4));
    expect(await rows('registry_tracks')).toMatchObject([
      {
        track_condition: 'Soft 5',
        rail: 'True',
        as_of: at(5),
        field_as_of: { rail: at(1), weather: at(2), track_condition: at(4) },
      },
    ]);
  });

  test('two spellings are one meeting, and the one with a rating wins', async () => {
    const spelt = (venue: string, trackCondition: string | null) => registryCondition({ venue, trackCondition });
    const readings = [spelt('Ladbrokes Cannon Park', 'Good 3'), spelt('Cairns', null)];
    expect(await stores.registry.saveTracks('QLD', readings, at(1))).toBe(1);
    expect(await rows('registry_tracks')).toMatchObject([{ venue_id: 'cairns', track_condition: 'Good 3' }]);
  });
});

test('a registry race is joined once, and one of our races is joined to one registry race only', async () => {
  const { registry, races } = stores;
  const race = placedRace();
  await races.saveCard('tab', [race], at(0));
  await registry.saveCalendar([registryListing()], at(1));
  await registry.saveAcceptances(registryCard({ races: [registryRace(1), registryRace(2)] }), at(1));
  expect(await registry.unjoined('2026-11-22')).toEqual([]);
  expect(await registry.unjoined('2026-11-21')).toMatchObject([
    { meetingKey: FLEMINGTON, meetingDate: '2026-11-21', venue: 'Flemington', raceNumber: 1, raceId: null },
    { raceNumber: 2 },
  ]);
  const one = { meetingKey: FLEMINGTON, raceNumber: 1 };
  expect(await registry.join(one, race.raceId)).toBe(true);
  expect(await registry.join(one, race.raceId)).toBe(false);
  expect(await registry.join({ ...one, raceNumber: 2 }, race.raceId)).toBe(false);
  expect(await registry.mergeDue(at(2))).toBe(1);
  expect(await registry.mergeDue(at(3))).toBe(0);
  expect((await rows('race_runners')).map(({ number, runner_ref }) => [number, runner_ref])).toEqual([
    [1, 'ra:201201'],
    [2, 'ra:201202'],
    [3, 'ra:201203'],
  ]);
});
