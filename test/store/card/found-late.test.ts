// A race that is already over when found starts off the board (D63), comes onto it when its start proves wrong, and
// older rows are migrated to the same.
import { boardState } from '../../../src/domain/race/board-state';
import { createStores } from '../../../src/store/create-stores';
import { findRaces } from '../../../src/store/reads/races/find-races';
import type { Stores } from '../../../src/store/stores';
import { placedRace } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

const NOW = '2026-11-21T05:00:00.000Z';
const minutes = (from: number): string => new Date(Date.parse(NOW) + from * 60_000).toISOString();

let db: TestDatabase;
let stores: Stores;
beforeAll(async () => {
  db = await createTestDatabase();
  stores = createStores(db.pool);
});
afterAll(() => db.drop());

const stateOf = async (raceId: string, at = NOW) => {
  const [race] = await findRaces(db.pool, { raceId }, []);
  return [race!.left_board_at, boardState(race!, Date.parse(at))];
};

test.each([
  ['still to run', 60, null, 'ahead'],
  ['just under ten minutes ago', -9.99, null, 'jumped'],
  ['ten minutes ago', -10, NOW, 'over'],
  ['hours ago', -300, NOW, 'over'],
])('a race that started %s', async (name, startMinutes, leftAt, state) => {
  const race = placedRace({ venue: name, startTime: minutes(startMinutes) });
  await stores.races.saveCard('tab', [race], NOW);
  expect(await stateOf(race.raceId)).toEqual([leftAt, state]);
});

test('a race found late whose start moves into the future is on the board, unless it has jumped', async () => {
  const races = ['Wrong start', 'Followed'].map((venue) => placedRace({ venue, startTime: minutes(-120) }));
  await stores.races.saveCard('ladbrokes_au', races, NOW);
  const [wrong, followed] = races;
  const left = { jumpedAt: minutes(-120), leftBoardAt: NOW };
  await stores.races.savePhase(followed!.raceId, 'jumped', left, NOW);
  const moved = races.map((race) => ({ ...race, listed: { ...race.listed, startTime: minutes(60) } }));
  await stores.races.saveCard('ladbrokes_au', moved, minutes(1));
  expect(await stateOf(wrong!.raceId)).toEqual([null, 'ahead']);
  expect(await stateOf(followed!.raceId)).toEqual([NOW, 'over']);
});

test('a race whose books were already queried for a result is off the board', async () => {
  const { raceId } = await storeRace(db, { venue: 'Not followed', startTime: minutes(-180) });
  expect(await stateOf(raceId)).toEqual([null, 'over']);
  await stores.races.soughtResult(raceId, NOW);
  expect(await stateOf(raceId)).toEqual([NOW, 'over']);
});
