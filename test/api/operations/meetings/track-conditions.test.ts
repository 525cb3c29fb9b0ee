import { NO_FACTS } from '../../../../src/domain/race/not-reported';
import { createStores } from '../../../../src/store/create-stores';
import type { Stores } from '../../../../src/store/stores';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { addRace } from '../../../support/races/board';
import { FLEMINGTON, registryCard, registryCondition, registryListing } from '../../../support/races/registry';

let served: Served;
let stores: Stores;
let key: string;
beforeEach(async () => {
  served = await serve();
  stores = createStores(served.db.pool);
  key = await served.addKey();
});
afterEach(() => served.stop());

const get = async (search = '', by = key) => {
  const { status, body } = await served.api.get(`/v1/racing/track-conditions${search}`, by);
  expect(status).toBe(200);
  expectConforms('track_conditions', body);
  return body;
};

const official = (over: Parameters<typeof registryCondition>[0], at: string) =>
  stores.registry.saveTracks('VIC', [registryCondition(over)], at);

/** A race on which one book reports these conditions, one poll a minute from `from` on. */
async function reported(book: string, conditions: readonly string[], from: string, over: object = {}) {
  const race = await addRace(served.db.pool, over, {});
  const { raceId } = race;
  const source = { ...race, listed: { ...race.listed, sourceRaceId: `${book} ${raceId}` } };
  await stores.races.saveCard(book, [source], '2026-09-01T00:00:00.000Z');
  for (const [minute, trackCondition] of conditions.entries()) {
    await stores.quotes.savePoll({
      raceId,
      bookmakerKey: book,
      fence: { epoch: 1, attempt: 1 },
      observedAt: new Date(Date.parse(from) + minute * 60_000).toISOString(),
      bookAt: null,
      snapshot: {
        sourceRaceId: source.listed.sourceRaceId,
        startTime: null,
        facts: { ...NO_FACTS, trackCondition, weather: 'Showers' },
        marketStatus: null,
        inPlay: null,
        runners: [],
        result: null,
        sourceUrl: null,
      },
      marketStateSource: false,
      startSource: false,
    });
  }
  return raceId;
}

test('the registry’s first rating is an initial state, a later one a change; ratings are parsed and compared by meaning', async () => {
  await official({ trackCondition: 'Good 4', rail: 'True', penetrometer: '4.8' }, '2026-11-20T20:00:00.000Z');
  await official({ trackCondition: 'GOOD (4)' }, '2026-11-20T22:00:00.000Z');
  await official({ trackCondition: 'Soft 5', weather: 'Showers' }, '2026-11-21T00:00:00.000Z');
  const { meetings, ...top } = await get();
  expect(top).toMatchObject({ date: '2026-11-21', coverage_from: '2026-09-07', official_block_from: '2026-09-26' });
  expect(meetings).toHaveLength(1);
  expect(meetings[0]).toMatchObject({
    category: 'horse',
    venue: 'Flemington',
    venue_id: 'flemington',
    venue_norm: 'flemington',
    venue_site: 'flemington',
    official_venue_norm: 'flemington',
    merged_from: ['Flemington'],
    changes: [
      { track_condition: 'Good 4', going: 'Good', going_rating: 4, rail: 'True', prev_track_condition: null },
      {
        observed_at: '2026-11-21T00:00:00.000Z',
        source: 'racing_australia',
        track_condition: 'Soft 5',
        weather: 'Showers',
        prev_track_condition: 'GOOD (4)',
        prev_going: 'Good',
        prev_going_rating: 4,
        race_id: null,
      },
    ],
  });
  expect(meetings[0].changes[0]).toMatchObject({ prev_going: null, prev_going_rating: null });
  expect(meetings[0].current).toMatchObject({
    going: 'Soft',
    going_rating: 5,
    penetrometer: '4.8',
    source: 'racing_australia',
    sources: { going_rating: 'racing_australia', rail: 'racing_australia', track_type: null },
    field_as_of: {
      track_condition: '2026-11-21T00:00:00.000Z',
      going: '2026-11-21T00:00:00.000Z',
      penetrometer: '2026-11-20T20:00:00.000Z',
      track_type: null,
    },
    as_of: '2026-11-20T20:00:00.000Z',
  });
});

test('all spellings of a venue are one meeting, under the registry’s spelling, and any of them finds it', async () => {
  const spelt = 'Sportsbet-Ballarat Synthetic';
  await stores.registry.saveCalendar([registryListing({ venue: spelt })], '2026-11-20T19:00:00.000Z');
  await official({ venue: spelt, trackCondition: 'Synthetic' }, '2026-11-20T20:00:00.000Z');
  await reported('tab', ['GOOD3', 'GOOD3', 'SOFT5'], '2026-11-21T01:00:00.000Z', { venue: 'BALLARAT' });
  const [meeting, ...others] = (await get()).meetings;
  expect(others).toEqual([]);
  expect(meeting).toMatchObject({
    venue: spelt,
    venue_id: 'ballarat',
    venue_norm: 'sportsbet ballarat synthetic',
    official_venue_norm: 'sportsbet ballarat synthetic',
    merged_from: ['BALLARAT', spelt],
  });
  for (const venue of ['ballarat', 'sportsbet-ballarat%20synthetic', 'Sportsbet%20Ballarat%20Synthetic']) {
    expect((await get(`?venue=${venue}`)).meetings).toEqual([meeting]);
  }
  expect((await get('?venue=Randwick')).meetings).toEqual([]);
});

test('each field has the newest report, its feed and its instant; the block is mixed and as old as its oldest field', async () => {
  await official({ trackCondition: 'Good 4', rail: 'True' }, '2026-11-20T20:00:00.000Z');
  const raceId = await reported('tab', ['Good4', 'SOFT5', 'Soft (5)'], '2026-11-21T01:00:00.000Z');
  const { current, changes } = (await get()).meetings[0];
  expect(current).toMatchObject({
    track_condition: 'SOFT5',
    weather: 'Showers',
    rail: 'True',
    source: 'mixed',
    sources: { track_condition: 'tab', going: 'tab', weather: 'tab', rail: 'racing_australia' },
    as_of: '2026-11-20T20:00:00.000Z',
  });
  expect(changes.slice(1)).toEqual([
    expect.objectContaining({ source: 'tab', race_id: raceId, prev_track_condition: 'Good4', prev_going_rating: 4 }),
  ]);
  await official({ trackCondition: 'Good 4' }, '2026-11-21T02:00:00.000Z');
  expect((await get()).meetings[0].current).toMatchObject({
    track_condition: 'Good 4',
    sources: { track_condition: 'racing_australia', weather: 'tab' },
  });
});

test('harness, greyhound and New Zealand meetings appear only once a book reported a change', async () => {
  await reported('tab', ['Fast'], '2026-11-21T00:00:00.000Z', { category: 'harness', venue: 'Menangle' });
  await reported('tab', ['Good', 'Slow'], '2026-11-21T00:00:00.000Z', { category: 'greyhound', venue: 'Wentworth' });
  await reported('neds', ['Good 3', 'Soft 6'], '2026-11-21T00:00:00.000Z', { venue: 'Te Rapa', country: 'NZ' });
  const { meetings } = await get();
  expect(meetings).toMatchObject([
    { category: 'greyhound', venue: 'Wentworth', official_venue_norm: null, current: { source: 'tab' } },
    { category: 'horse', venue: 'Te Rapa', current: { source: 'neds', going: 'Soft', going_rating: 6 } },
  ]);
  expect(
    meetings.every((meeting: { changes: { prev_track_condition: unknown }[] }) =>
      meeting.changes.every((change) => change.prev_track_condition !== null),
    ),
  ).toBe(true);
});

test('meetings outside Australia and New Zealand have no track state, because their races have no conditions (A 1)', async () => {
  const changed = (venue: string, country: string | null) =>
    reported('neds', ['Good 3', 'Soft 6'], '2026-11-21T00:00:00.000Z', { venue, country });
  await changed('Sha Tin', 'HK');
  await changed('Newbury', 'GB');
  await changed('Nowhere', null);
  expect((await get()).meetings.map(({ venue }: { venue: string }) => venue)).toEqual(['Nowhere']);
});

test('only operators see an exchange’s report', async () => {
  await reported('betfair_ex_au', ['Good', 'Slow'], '2026-11-21T00:00:00.000Z');
  expect((await get()).meetings).toEqual([]);
  const operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
  expect((await get('', operator)).meetings[0].changes).toMatchObject([{ source: 'betfair_ex_au' }]);
});

test('the head of the acceptances supplies what no track page states; a meeting without any condition is absent', async () => {
  await stores.registry.saveCalendar(
    [registryListing(), registryListing({ key: '2026Nov21,VIC,Moe', venue: 'Moe' })],
    '2026-11-20T19:00:00.000Z',
  );
  const track = { trackCondition: 'Good 4', rail: null, weather: null, penetrometer: null, trackType: 'Turf' };
  await stores.registry.saveAcceptances(registryCard({ key: FLEMINGTON, track }), '2026-11-20T20:00:00.000Z');
  const { meetings } = await get();
  expect(meetings).toHaveLength(1);
  expect(meetings[0]).toMatchObject({
    venue: 'Flemington',
    current: { track_condition: 'Good 4', track_type: 'Turf', as_of: '2026-11-20T20:00:00.000Z' },
    changes: [],
  });
});

test('between the two coverage floors only the change log is used', async () => {
  const day = '2026-09-20';
  await official({ day, trackCondition: 'Good 4', rail: 'True' }, '2026-09-19T20:00:00.000Z');
  await official({ day, trackCondition: 'Good 4', rail: 'Out 3m', penetrometer: '5' }, '2026-09-19T22:00:00.000Z');
  await official({ day, venue: 'Moe', trackCondition: null, rail: 'True' }, '2026-09-19T22:00:00.000Z');
  const { meetings, note } = await get(`?date=${day}`);
  expect(meetings).toHaveLength(1);
  expect(meetings[0].current).toMatchObject({ rail: 'True', penetrometer: null, as_of: '2026-09-19T20:00:00.000Z' });
  expect(note).toContain('Before 2026-09-26');
  expect((await get()).note).not.toContain('Before');
});

test('a day outside the coverage, or a value that is not a day, is a free 422 that names the floor', async () => {
  for (const date of ['2026-09-06', '2026-11-25', '2026-02-30', 'yesterday']) {
    const { status, body } = await served.api.get(`/v1/racing/track-conditions?date=${date}`, key);
    expect([status, body.code]).toEqual([422, 'validation']);
    if (/^2026-(09|11)/.test(date))
      expect(body.detail).toContain('from 2026-09-07, when coverage begins, to 2026-11-24');
  }
  for (const date of ['2026-09-07', '2026-11-24']) expect((await get(`?date=${date}`)).date).toBe(date);
});
