// The races that bets name: by id and by name in one query, each once, with their outcomes.
import { createStores } from '../../../../src/store/create-stores';
import { readBetRaces } from '../../../../src/store/reads/results/bet-races';
import { addRace } from '../../../support/races/board';
import { feedField, feedResult } from '../../../support/races/builders';
import { createTestDatabase, type TestDatabase } from '../../../support/servers/database';

let db: TestDatabase;
let flemington: string;
let bendigo: readonly string[];
beforeAll(async () => {
  db = await createTestDatabase();
  flemington = (await addRace(db.pool, {}, { tab: { runners: feedField(2, 3) } })).raceId;
  const both = (['horse', 'harness'] as const).map((category) =>
    addRace(db.pool, { venue: 'Bendigo', category }, { tab: {} }),
  );
  bendigo = (await Promise.all(both)).map(({ raceId }) => raceId);
  await addRace(db.pool, { venue: 'Bendigo', raceNumber: 2 }, { tab: {} });
  const at = '2026-11-21T03:05:00.000Z';
  await createStores(db.pool).results.saveResult({ raceId: flemington, source: 'tab', result: feedResult(), at });
});
afterAll(() => db.drop());

const NAMED = { venue: 'BENDIGO', day: '2026-11-21', raceNumber: 1 };
const ids = async (raceIds: string[], named: (typeof NAMED)[] = []) =>
  (await readBetRaces(db.pool, { raceIds, named })).map(({ race_id }) => race_id).sort();

test('races are found by id and by name in one query, each once; a name shared by two races finds both', async () => {
  const unknown = '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10';
  expect(await ids([flemington, unknown])).toEqual([flemington]);
  expect(await ids([], [NAMED])).toEqual([...bendigo].sort());
  const other = { venue: 'flemington', day: '2026-11-21', raceNumber: 1 };
  expect(await ids([flemington, bendigo[0]!], [NAMED, other, other])).toEqual([flemington, ...bendigo].sort());
});

test('a name is one day, one venue and one number, never parts of two names', async () => {
  const crossed = [
    { venue: 'Flemington', day: '2026-11-21', raceNumber: 2 },
    { venue: 'Bendigo', day: '2026-11-22', raceNumber: 1 },
  ];
  expect(await ids([], crossed)).toEqual([]);
  expect(await ids([])).toEqual([]);
});

test('a race comes with its runners and its outcome', async () => {
  const [race] = await readBetRaces(db.pool, { raceIds: [flemington], named: [] });
  expect(race).toMatchObject({
    meeting_date: '2026-11-21',
    start_time: '2026-11-21T03:00:00.000Z',
    runners: [{ number: 1, name: 'Runner 1' }, { number: 2 }],
    outcome: { status: 'interim', placings: [{ position: 1, number: 1 }, { number: 2 }, { number: 3 }], runners: null },
  });
  const [none] = await readBetRaces(db.pool, { raceIds: [bendigo[0]!], named: [] });
  expect(none).toMatchObject({ outcome: null });
});
