import type { PlacedRace } from '../../../src/store/card/card';
import { createStores } from '../../../src/store/create-stores';
import type { Stores } from '../../../src/store/stores';
import { feedResult, placedRace } from '../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
let stores: Stores;
beforeEach(async () => {
  db = await createTestDatabase();
  stores = createStores(db.pool);
});
afterEach(() => db.drop());

const AT = '2026-11-20T20:00:00.000Z';
const LATER = '2026-11-20T21:00:00.000Z';
const card = (raceNumber: number, over: Parameters<typeof placedRace>[0] = {}, id?: string): PlacedRace =>
  placedRace({ raceNumber, sourceRaceId: `src-${raceNumber}`, ...over }, id);
const dump = async () => {
  const tables = ['races', 'race_books', 'venue_spellings'];
  return Promise.all(tables.map(async (table) => (await db.pool.query(`SELECT * FROM ${table} ORDER BY 1, 2`)).rows));
};

test('a list creates and reports its races and links; the same list again writes nothing', async () => {
  const list = [card(1), card(2)];
  expect(await stores.races.saveCard('ladbrokes_au', list, AT)).toMatchObject([
    { raceId: list[0]!.raceId, created: true, startMoved: false, startVersion: 1, country: 'AU' },
    { raceId: list[1]!.raceId, created: true, startMoved: false },
  ]);
  const before = await dump();
  expect(await stores.races.saveCard('ladbrokes_au', list, AT)).toMatchObject([{ created: false }, { created: false }]);
  expect(await dump()).toEqual(before);
  expect(await stores.races.booksOf(list[0]!.raceId)).toEqual([
    { bookmakerKey: 'ladbrokes_au', sourceRaceId: 'src-1', polledAt: null },
  ]);
});

test('an empty list changes nothing', async () => {
  expect(await stores.races.saveCard('ladbrokes_au', [], AT)).toEqual([]);
});

test('the best-ranked book that lists a race moves its start, other books do not; every move is counted', async () => {
  const race = card(1);
  const at = (startTime: string): PlacedRace => ({ ...race, listed: { ...race.listed, startTime } });
  const five = '2026-11-21T03:05:00.000Z';
  const ten = '2026-11-21T03:10:00.000Z';
  await stores.races.saveCard('tab', [race], AT);
  expect(await stores.races.saveCard('tab', [at(five)], LATER)).toMatchObject([
    { startMoved: true, startVersion: 2, startTime: five },
  ]);
  expect(await stores.races.saveCard('ladbrokes_au', [at(ten)], LATER)).toMatchObject([
    { startMoved: true, startVersion: 3 },
  ]);
  expect(await stores.races.saveCard('tab', [at(five)], LATER)).toMatchObject([
    { startMoved: false, startVersion: 3, startTime: ten },
  ]);
  expect(await stores.races.saveCard('sportsbet', [at(five)], LATER)).toMatchObject([{ startMoved: false }]);
  expect(await stores.races.raceHeader(race.raceId)).toMatchObject({ startTime: ten, startVersion: 3 });
});

describe('a race that has run keeps its start', () => {
  const moved = async (race: PlacedRace): Promise<boolean> => {
    const startTime = '2026-11-22T03:00:00.000Z';
    const [change] = await stores.races.saveCard('tab', [{ ...race, listed: { ...race.listed, startTime } }], LATER);
    return change!.startMoved;
  };

  test('once it has jumped, unless it was abandoned after all', async () => {
    const race = card(1);
    await stores.races.saveCard('tab', [race], AT);
    await stores.races.savePhase(race.raceId, 'jumped', { jumpedAt: AT }, AT);
    expect(await moved(race)).toBe(false);
    await stores.results.abandon(race.raceId, 'postponed', 'lifecycle', LATER);
    expect(await moved(race)).toBe(true);
  });

  test('once it has placings, even if no book reported its jump', async () => {
    const race = card(1);
    await stores.races.saveCard('tab', [race], AT);
    const placings = [{ position: 1, number: 4, name: null }];
    await stores.results.saveResult({ raceId: race.raceId, source: 'tab', result: feedResult({ placings }), at: AT });
    expect(await moved(race)).toBe(false);
  });
});

test('another book fills in unknown facts and removes none', async () => {
  const race = card(1, { country: null, distanceM: 1200 });
  await stores.races.saveCard('tab', [race], AT);
  const fuller = { ...race, listed: { ...race.listed, country: 'NZ', distanceM: 1300, weather: 'Fine' } };
  expect(await stores.races.saveCard('pointsbetau', [fuller], LATER)).toMatchObject([{ country: 'NZ' }]);
  const { rows } = await db.pool.query('SELECT country, distance_m, weather, updated_at FROM races');
  expect(rows).toEqual([{ country: 'NZ', distance_m: 1200, weather: 'Fine', updated_at: LATER }]);
});

test('a book that lists the race under a new id is polled under that id; an id never moves to another race', async () => {
  const one = card(1);
  const two = card(2);
  await stores.races.saveCard('tab', [one, two], AT);
  const renamed = (race: PlacedRace, sourceRaceId: string): PlacedRace => ({
    ...race,
    listed: { ...race.listed, sourceRaceId },
  });
  await stores.races.saveCard('tab', [renamed(one, 'src-9'), renamed(two, 'src-1')], LATER);
  expect(await stores.races.booksOf(one.raceId)).toEqual([
    { bookmakerKey: 'tab', sourceRaceId: 'src-9', polledAt: null },
  ]);
  await stores.races.saveCard('tab', [renamed(one, 'src-2')], LATER);
  expect(await stores.races.booksOf(one.raceId)).toEqual([
    { bookmakerKey: 'tab', sourceRaceId: 'src-9', polledAt: null },
  ]);
});

test('simultaneous lists of several books are all stored', async () => {
  const list = Array.from({ length: 30 }, (_, i) => card(i + 1, { venue: `Track ${i % 5}` }));
  const books = ['ladbrokes_au', 'neds', 'tab', 'pointsbetau'];
  await Promise.all(
    books.flatMap((book) => [
      stores.races.saveCard(book, list, AT),
      stores.races.saveCard(book, [...list].reverse(), LATER),
    ]),
  );
  const { rows } = await db.pool.query('SELECT bookmaker_key, count(*) AS n FROM race_books GROUP BY 1 ORDER BY 1');
  expect(rows).toEqual([...books].sort().map((book) => ({ bookmaker_key: book, n: 30 })));
});

test('spellings of a venue are stored with when they were first and last seen', async () => {
  await stores.races.saveCard('tab', [card(1)], AT);
  await stores.races.saveCard(
    'tab',
    [card(1, {}, (await stores.races.joinCandidates(['2026-11-21']))[0]!.raceId)],
    LATER,
  );
  const { rows } = await db.pool.query('SELECT * FROM venue_spellings');
  expect(rows).toEqual([
    {
      venue_id: 'flemington',
      spelling: 'Flemington',
      category: 'horse',
      country: 'AU',
      first_seen_at: AT,
      last_seen_at: LATER,
    },
  ]);
});

test('the candidates for a join are the races of the given days', async () => {
  const today = card(1);
  const tomorrow = card(1, { meetingDate: '2026-11-22', sourceRaceId: 'x' });
  await stores.races.saveCard('tab', [today, tomorrow], AT);
  expect(await stores.races.joinCandidates(['2026-11-22', '2026-11-23'])).toEqual([
    { raceId: tomorrow.raceId, identity: tomorrow.identity, startTime: tomorrow.listed.startTime },
  ]);
});

test('a meeting is identified by its day, code, venue and card', async () => {
  const list = [
    card(2),
    card(1),
    card(1, { category: 'harness', sourceRaceId: 'h' }),
    card(1, { venue: 'Moonee Valley', sourceRaceId: 'm' }),
  ];
  await stores.races.saveCard('tab', list, AT);
  expect(await stores.races.meetingRaces(list[0]!.raceId)).toEqual([list[1]!.raceId, list[0]!.raceId]);
});

test('phases only move on, and their instants are set once', async () => {
  const race = card(1);
  await stores.races.saveCard('tab', [race], AT);
  await stores.races.savePhase(race.raceId, 'jumped', { jumpedAt: AT }, AT);
  await stores.races.savePhase(race.raceId, 'interim', { jumpedAt: LATER, leftBoardAt: LATER }, LATER);
  expect(await stores.races.raceHeader(race.raceId)).toMatchObject({
    phase: 'interim',
    jumpedAt: AT,
    leftBoardAt: LATER,
  });
  expect(await stores.races.raceHeader('00000000-0000-5000-8000-000000000000')).toBeNull();
});

test('unfinished races are those of the last eleven days whose outcome or field may still move, except the given ones', async () => {
  const start = (raceNumber: number, startTime: string, over = {}) => card(raceNumber, { startTime, ...over });
  const old = start(1, '2026-11-09T03:00:00.000Z');
  const run = start(2, '2026-11-19T03:00:00.000Z', { category: 'harness' });
  const greyhound = start(3, '2026-11-19T04:00:00.000Z', { category: 'greyhound' });
  const next = start(4, '2026-11-21T03:00:00.000Z');
  const off = start(5, '2026-11-21T03:00:00.000Z');
  await stores.races.saveCard('tab', [old, run, greyhound, next, off], AT);
  for (const { raceId } of [run, greyhound]) {
    await stores.results.saveResult({ raceId, source: 'tab', result: feedResult(), at: AT });
    await stores.results.finalise(raceId, AT);
  }
  await stores.results.abandon(off.raceId, 'abandoned', 'lifecycle', AT);
  const idsBut = async (except: string[]) =>
    (await stores.races.unfinishedRaces(LATER, except)).map(({ raceId }) => raceId).sort();
  expect(await idsBut([])).toEqual([greyhound.raceId, next.raceId].sort());
  expect(await idsBut([greyhound.raceId])).toEqual([next.raceId]);
  expect(await stores.races.unfinishedRaces(LATER, [greyhound.raceId])).toEqual([
    { raceId: next.raceId, phase: 'card', startTime: '2026-11-21T03:00:00.000Z' },
  ]);
});
