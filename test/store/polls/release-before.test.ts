// A process of the release before against this schema, as during a deploy: it gets every verdict in the text that it parses.
import type { Pool } from 'pg';
import type { RaceSnapshot } from '../../../src/domain/race/feed-race';
import type { BookPoll } from '../../../src/store/card/book-poll';
import { createPool } from '../../../src/store/pg/pool';
import { feedField, raceSnapshot } from '../../support/races/builders';
import { FIRST_HOLDER, storeRace } from '../../support/races/stored-race';
import { createQuoteStoreBefore } from '../../support/release-before';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
/** On a pool of its own, like another process: its statements have the same names as ours. */
let itsPool: Pool;
beforeAll(async () => {
  db = await createTestDatabase();
  itsPool = createPool(db.url, 2);
});
afterAll(async () => {
  await itsPool.end();
  await db.drop();
});
let venue = 0;

async function race() {
  const stored = await storeRace(db, { venue: `Venue ${++venue}` });
  const releaseBefore = createQuoteStoreBefore(itsPool);
  const poll = (secs: number, snapshot: Partial<RaceSnapshot> | null, over: Partial<BookPoll> = {}) =>
    releaseBefore.savePoll({
      raceId: stored.raceId,
      bookmakerKey: 'ladbrokes_au',
      fence: FIRST_HOLDER,
      observedAt: stored.before(secs),
      bookAt: null,
      snapshot: snapshot && raceSnapshot(snapshot),
      marketStateSource: false,
      startSource: true,
      ...over,
    });
  return { ...stored, ours: stored.poll, poll };
}
const UNCHANGED = {
  fenced: false,
  changed: 0,
  ticks: 0,
  startMoved: false,
  startVersion: 1,
  marketClosedAt: null,
  newlyScratched: [],
  outOfOrder: false,
};

test('it still writes, stamps, captures, moves the start and closes the market', async () => {
  const { poll, before } = await race();
  expect(await poll(7200, { runners: feedField(2, 3) })).toEqual({ ...UNCHANGED, changed: 2 });
  expect(await poll(7180, { runners: feedField(2, 3) })).toEqual(UNCHANGED);
  expect(await poll(7160, null)).toEqual(UNCHANGED);
  expect(await poll(3500, { runners: feedField(2, 4) })).toEqual({ ...UNCHANGED, changed: 1, ticks: 2 });
  const later = { runners: feedField(2, 4), startTime: before(-600) };
  expect(await poll(3400, later)).toEqual({ ...UNCHANGED, startMoved: true, startVersion: 2 });
  const closed = { ...later, marketStatus: 'CLOSED' as const };
  expect(await poll(-610, closed, { marketStateSource: true })).toEqual({
    ...UNCHANGED,
    startVersion: 2,
    marketClosedAt: before(-610),
  });
});

test('an unchanged reply and a 304 are captured if the window has opened since', async () => {
  const first = await race();
  const second = await race();
  await first.poll(3700, { runners: feedField(2, 3) });
  expect(await first.poll(3500, { runners: feedField(2, 3) })).toEqual({ ...UNCHANGED, ticks: 2 });
  await second.poll(3700, { runners: feedField(2, 3) });
  expect(await second.poll(3500, null)).toEqual({ ...UNCHANGED, ticks: 2 });
});

test('it parses every refusal: fenced, late, older, unknown; and resends a reply that a process of this release replaced', async () => {
  const { poll, ours, stores, raceId, before } = await race();
  await poll(1800, { runners: feedField(2) }, { bookAt: before(1801) });
  expect(await poll(1900, { runners: feedField(5) })).toEqual(UNCHANGED);
  expect(await poll(1790, { runners: feedField(5) }, { bookAt: before(1850) })).toMatchObject({ outOfOrder: true });
  await expect(poll(1780, {}, { bookmakerKey: 'neds' })).rejects.toThrow(/neds does not list race/);
  expect(await ours(1700, { runners: feedField(9) })).toMatchObject({ changed: 1, ticks: 1 });
  // Its own last reply: it first sends the hash alone, which is no longer the stored one.
  expect(await poll(1600, { runners: feedField(2) })).toMatchObject({ changed: 1, ticks: 1 });
  await stores.control.claim(raceId, 1, 2, before(1500));
  expect(await poll(1400, { runners: feedField(3) })).toMatchObject({ fenced: true, changed: 0 });
});
