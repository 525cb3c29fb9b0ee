import { createStores } from '../../../src/store/create-stores';
import { liveRaces, watchLiveRaces } from '../../../src/store/polls/live-races';
import { PATIENT_MS } from '../../support/patient';
import { polledRace } from '../../support/races/polled-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { waitFor } from '../../support/servers/service';

const START = '2026-11-21T03:00:00.000Z';
const before = (seconds: number): string => new Date(Date.parse(START) - seconds * 1000).toISOString();
let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());

/** Live, with one poll of each book this many seconds before the start. */
async function live(raceNumber: number, books: Readonly<Record<string, number>>): Promise<string> {
  const quotes = Object.entries(books).map(([book, seconds]) => [book, [[seconds, 2.5]]] as const);
  const { raceId } = await polledRace(db.pool, { raceNumber, startTime: START }, Object.fromEntries(quotes));
  const { control, races } = createStores(db.pool);
  await control.setControl({ raceId, epoch: 1, tier: 'live', advertisedStart: START, closed: false }, before(7200));
  await races.savePhase(raceId, 'live', {}, before(7200));
  return raceId;
}

test('a live race counts as unpolled when no polled book was stamped for thirty seconds, whatever was pushed', async () => {
  const polled = await live(1, { tab: 300, neds: 110 });
  const left = await live(2, { tab: 300, neds: 140 });
  const onlyPushed = await live(3, { tab: 300, boostbet: 105 });
  const closed = await live(4, { tab: 300 });
  const { control } = createStores(db.pool);
  await control.setControl(
    { raceId: closed, epoch: 2, tier: 'none', advertisedStart: START, closed: true },
    before(200),
  );
  const found = new Map((await liveRaces(db.pool, before(100))).map((race) => [race.raceId, race]));
  expect(found.get(polled)).toEqual({ raceId: polled, startTime: START, unpolled: false });
  expect(found.get(left)).toMatchObject({ unpolled: true });
  expect(found.get(onlyPushed)).toMatchObject({ unpolled: true });
  expect(found.has(closed)).toBe(false);
});

test('the watch reads at its start', async () => {
  const raceId = await live(1, { tab: 300 });
  const watch = watchLiveRaces(db.pool, () => Date.parse(before(100)));
  try {
    await waitFor(async () => watch.latest() !== null, PATIENT_MS);
    expect(watch.latest()).toEqual([{ raceId, startTime: START, unpolled: true }]);
  } finally {
    watch.stop();
  }
});
