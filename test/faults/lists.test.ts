// Faults of the books' lists: an unreadable list is a counted failure, and the lists that were read are placed
// immediately.
import { ActivityCancellationDetails, CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { readList } from '../../src/activities/polling/lists/read-list';
import { createBookListStore, readBookLists } from '../../src/store/card/book-lists';
import { createPool } from '../../src/store/pg/pool';
import { PATIENT_MS } from '../support/patient';
import { waitFor } from '../support/servers/service';
import { BOOKS, type FaultLab, MINUTE, NOON, openFaultLab } from './lab';

const DAY = '2026-11-21';
const RACES = [
  { startMs: NOON + 20 * MINUTE, venue: 'Flemington', runners: 9 },
  { startMs: NOON + 60 * MINUTE, venue: 'Flemington', runners: 8 },
];

let lab: FaultLab;
beforeEach(async () => {
  lab = await openFaultLab(RACES);
});
afterEach(() => lab.close());

const read = (bookmakerKey: string) => readList(lab.deps, { bookmakerKey, day: DAY });
const failing = async () =>
  Object.fromEntries((await readBookLists(lab.pool, lab.clock.nowMs)).map(({ book, failing }) => [book, failing]));
const linked = () =>
  lab.query('SELECT bookmaker_key AS book, count(*)::int AS races FROM race_books GROUP BY 1 ORDER BY 1');

/** The whole panel behind one network path that stands still. */
const inVain = (bookmakerKey: string) =>
  readList({ ...lab.deps, deadlineOf: () => 100 }, { bookmakerKey, day: DAY }).catch((error: Error) => error.message);

test('when every list hangs each is a failure, each failed reading in a row is counted, and the first answer ends the count', async () => {
  await lab.on('hanging');
  for (let round = 1; round <= 2; round++) {
    const ends = await Promise.all(BOOKS.map(inVain));
    expect(ends).toEqual(BOOKS.map((key) => expect.stringContaining(`the list of ${key} of ${DAY}: timeout`)));
    expect(await failing()).toEqual(Object.fromEntries(BOOKS.map((key) => [key, round])));
  }
  expect(await linked()).toEqual([]);
  await lab.off('hanging');
  expect(await read('tab')).toMatchObject({ listed: 2, created: 2 });
  expect(await failing()).toEqual({ ladbrokes_au: 2, neds: 2, pointsbetau: 2, tab: 0 });
  expect(await linked()).toEqual([{ book: 'tab', races: 2 }]);
});

test('an empty list is read like any other, and its size is stored; a failed list changes no size', async () => {
  const sizes = async () =>
    Object.fromEntries((await readBookLists(lab.pool, lab.clock.nowMs)).map(({ book, races }) => [book, races]));
  await lab.on('server_error', { book: 'neds' });
  await Promise.allSettled(['tab', 'neds'].map(read));
  expect(await sizes()).toEqual({ tab: 2, neds: null });
  await lab.off('server_error');
  await lab.on('nothing_listed');
  expect(await read('tab')).toMatchObject({ listed: 0 });
  expect(await sizes()).toEqual({ tab: 0, neds: null });
  expect(await failing()).toEqual({ tab: 0, neds: 1 });
  await lab.off('nothing_listed');
  await lab.on('server_error');
  await Promise.allSettled([read('tab')]);
  expect(await sizes()).toMatchObject({ tab: 0 });
  await lab.off('server_error');
  await read('tab');
  expect(await sizes()).toMatchObject({ tab: 2 });
});

test('simultaneous lists are placed one after another: each race is one race', async () => {
  await lab.on('server_error', { book: 'neds' });
  const ends = await Promise.allSettled(BOOKS.map(read));
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  const created = ends.map((end) => (end.status === 'fulfilled' ? end.value.created : 0));
  expect(created.reduce((sum, one) => sum + one, 0)).toBe(2);
  expect(await lab.query('SELECT count(*)::int AS races FROM races')).toEqual([{ races: 2 }]);
  expect(await linked()).toHaveLength(3);
  expect(await failing()).toEqual({ ladbrokes_au: 0, neds: 1, pointsbetau: 0, tab: 0 });
});

test.each([
  ['blocked', { nonRetryable: true }],
  ['server_error', { nonRetryable: false, nextRetryDelay: undefined }],
  ['rate_limited', { nonRetryable: false, nextRetryDelay: 30_000 }],
] as const)('%s: how soon the list is requested again', async (fault, end) => {
  await lab.on(fault, { book: 'tab' });
  await expect(read('tab')).rejects.toMatchObject({ type: 'ListFailed', ...end });
});

test('a list that our database refuses is a failure too', async () => {
  await lab.query(`CREATE FUNCTION refuse_tab() RETURNS trigger LANGUAGE plpgsql AS $$
                   BEGIN IF NEW.bookmaker_key = 'tab' THEN RAISE 'not this list'; END IF; RETURN NEW; END $$`);
  await lab.query('CREATE TRIGGER refuse_tab BEFORE INSERT ON race_books FOR EACH ROW EXECUTE FUNCTION refuse_tab()');
  await expect(read('tab')).rejects.toThrow('not this list');
  expect(await failing()).toEqual({ tab: 1 });
  expect(await lab.counts('tab')).toEqual({ 'failed not_placed': 1 });
});

/** Until it is released, another process places a list. */
async function placedElsewhere(): Promise<() => Promise<void>> {
  const other = await lab.pool.connect();
  await other.query('BEGIN');
  await other.query('SELECT pg_advisory_xact_lock(86)');
  return async () => {
    await other.query('COMMIT');
    other.release();
  };
}

const WAITING = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
const waits = (forMs = 0) =>
  waitFor(
    async () => (await lab.query(`${WAITING} AND query_start < clock_timestamp() - interval '${forMs} ms'`)).length > 0,
    PATIENT_MS,
  );

test('attempts given up before their turn place nothing, however many wait; the one that is wanted does', async () => {
  const letGo = await placedElsewhere();
  const { lists } = lab.deps.stores;
  let queued = 0;
  let givenUp = 0;
  const inTurn: typeof lists.inTurn = (work) => {
    queued += 1;
    return lists.inTurn(work);
  };
  const deps = { ...lab.deps, stores: { ...lab.deps.stores, lists: { ...lists, inTurn } } };
  const ends = [1, 2, 3, 4].map(async (attempt) => {
    await waitFor(async () => queued === attempt - 1, PATIENT_MS);
    const env = new MockActivityEnvironment({ attempt }, { logger: new DefaultLogger('ERROR') });
    const ended = env.run(() => readList(deps, { bookmakerKey: 'tab', day: DAY }));
    await waitFor(async () => queued >= attempt, PATIENT_MS);
    // As the server does with an attempt whose time is up.
    if (attempt < 4) {
      env.cancel('TIMED_OUT', new ActivityCancellationDetails({ timedOut: true }));
      givenUp += 1;
    }
    return ended;
  });
  await waitFor(async () => queued === 4 && givenUp === 3, PATIENT_MS);
  await waits();
  await letGo();
  expect(await Promise.allSettled(ends)).toEqual([
    ...Array.from({ length: 3 }, () => ({ status: 'rejected', reason: expect.any(CancelledFailure) })),
    { status: 'fulfilled', value: expect.objectContaining({ listed: 2, created: 2 }) },
  ]);
  expect(await lab.counts('tab')).toMatchObject({ 'failed not_placed': 3 });
  expect(await failing()).toEqual({ tab: 0 });
});

test('a list waits for another process longer than the statement timeout', async () => {
  const QUERY_MS = 300;
  const pool = createPool(lab.pool.options.connectionString!, 2, {
    timeouts: { connectMs: PATIENT_MS, queryMs: QUERY_MS },
  });
  const letGo = await placedElsewhere();
  const placed = createBookListStore(pool).inTurn(async () => 'placed');
  try {
    await Promise.race([placed, waits(QUERY_MS + 2500)]);
  } finally {
    await letGo();
    await placed.catch(() => undefined);
    await pool.end();
  }
  expect(await placed).toBe('placed');
});
