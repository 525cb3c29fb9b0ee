// A late worker cannot write, even if its statement was already running when the new holder claimed the race.
import { createControlStore } from '../../../src/store/polls/control';
import { feedField, placedRace, raceSnapshot } from '../../support/races/builders';
import { type StoredRace, storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';
import { untilBlocked } from '../../support/servers/lock-waiters';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase(20);
});
afterAll(() => db.drop());
let venue = 0;
const race = () => storeRace(db, { venue: `Venue ${++venue}` }, ['ladbrokes_au', 'neds']);
const win = async (raceId: string) =>
  (await db.pool.query(`SELECT win FROM race_books WHERE race_id = $1 AND bookmaker_key = 'ladbrokes_au'`, [raceId]))
    .rows[0].win;
const control = (stored: StoredRace, epoch: number) => ({
  raceId: stored.raceId,
  epoch,
  tier: 'live' as const,
  advertisedStart: stored.before(0),
  closed: false,
});

test('a newer attempt fences the older one out of prices, ticks and card; the newer one writes', async () => {
  const stored = await race();
  const { raceId, poll, stores, before } = stored;
  await poll(1800, { runners: feedField(2) });
  expect(await stores.control.claim(raceId, 1, 2, before(1790))).toBe(true);
  const late = { runners: feedField(3, 4), marketStatus: 'CLOSED' as const };
  expect(await poll(1780, late, { marketStateSource: true })).toMatchObject({ fenced: true, changed: 0, ticks: 0 });
  expect(await poll(1780, null)).toMatchObject({ fenced: true });
  expect(await win(raceId)).toEqual([2]);
  expect((await stores.races.raceHeader(raceId))?.marketClosedAt).toBeNull();
  expect(await poll(1770, late, { fence: { epoch: 1, attempt: 2 } })).toMatchObject({ fenced: false, changed: 2 });
});

test('an older attempt or epoch cannot claim, and a repeated claim is harmless', async () => {
  const { raceId, stores, before } = await race();
  const claim = (epoch: number, attempt: number) => stores.control.claim(raceId, epoch, attempt, before(1));
  expect(await claim(1, 3)).toBe(true);
  expect(await claim(1, 3)).toBe(true);
  expect(await claim(1, 2)).toBe(false);
  expect(await claim(2, 1)).toBe(true);
  expect(await claim(1, 9)).toBe(false);
  expect(await stores.control.readControl(raceId)).toMatchObject({ epoch: 2, holderAttempt: 1 });
});

test('a race without a control row cannot be claimed', async () => {
  const { stores, before } = await race();
  const other = placedRace({ venue: `Venue ${++venue}` });
  await stores.races.saveCard('neds', [other], before(1));
  expect(await stores.control.claim(other.raceId, 1, 1, before(1))).toBe(false);
});

test('a new epoch of the workflow fences out every earlier holder, and the epoch never decreases', async () => {
  const stored = await race();
  await stored.stores.control.setControl(control(stored, 2), stored.before(100));
  expect(await stored.poll(90, { runners: feedField(3) })).toMatchObject({ fenced: true });
  await stored.stores.control.setControl({ ...control(stored, 1), closed: true }, stored.before(80));
  expect(await stored.stores.control.readControl(stored.raceId)).toMatchObject({
    epoch: 2,
    closed: false,
    holderAttempt: 0,
  });
});

test('a book linked after the claim is fenced like the others', async () => {
  const stored = await race();
  const { raceId, stores, before } = stored;
  await stores.control.claim(raceId, 1, 5, before(100));
  const { rows } = await db.pool.query('SELECT * FROM races WHERE race_id = $1', [raceId]);
  const again = placedRace({ venue: rows[0].venue }, raceId);
  await stores.races.saveCard('tab', [again], before(90));
  expect(await stored.poll(80, {}, { bookmakerKey: 'tab' })).toMatchObject({ fenced: true });
});

test.each([
  ['a changed poll', { runners: feedField(9, 9) }],
  ['an unchanged poll', { runners: feedField(2) }],
  ['a 304', null],
])('%s that is running when the claim commits writes nothing', async (_what, snapshot) => {
  const { raceId, poll, before } = await race();
  await poll(1800, { runners: feedField(2) });
  const claiming = await db.pool.connect();
  try {
    // The claim, with its transaction still open.
    await claiming.query('BEGIN');
    await claiming.query('UPDATE race_control SET holder_attempt = 2 WHERE race_id = $1', [raceId]);
    await claiming.query('UPDATE race_books SET epoch = 1, attempt = 2 WHERE race_id = $1', [raceId]);
    const late = poll(1700, snapshot);
    await untilBlocked(db.pool, claiming);
    await claiming.query('COMMIT');
    expect(await late).toMatchObject({ fenced: true, changed: 0, ticks: 0 });
    const { rows } = await db.pool.query(
      'SELECT polled_at, win FROM race_books WHERE race_id = $1 AND bookmaker_key = $2',
      [raceId, 'ladbrokes_au'],
    );
    expect(rows[0]).toEqual({ polled_at: before(1800), win: [2] });
  } finally {
    claiming.release();
  }
});

test('a claim waits for an earlier poll and then takes effect', async () => {
  const { raceId, before } = await race();
  const polling = await db.pool.connect();
  try {
    await polling.query('BEGIN');
    await polling.query(`UPDATE race_books SET polled_at = $2 WHERE race_id = $1 AND bookmaker_key = 'ladbrokes_au'`, [
      raceId,
      before(1700),
    ]);
    const claim = createControlStore(db.pool).claim(raceId, 1, 2, before(1600));
    await untilBlocked(db.pool, polling);
    await polling.query('COMMIT');
    expect(await claim).toBe(true);
    const { rows } = await db.pool.query(
      'SELECT epoch, attempt, polled_at FROM race_books WHERE race_id = $1 ORDER BY bookmaker_key',
      [raceId],
    );
    expect(rows).toEqual([
      { epoch: 1, attempt: 2, polled_at: before(1700) },
      { epoch: 1, attempt: 2, polled_at: null },
    ]);
  } finally {
    polling.release();
  }
});

test('two simultaneous holders: after the claim returns, the older holder writes nothing more', async () => {
  for (let round = 0; round < 8; round++) {
    const { raceId, stores, before } = await race();
    const write = (attempt: number, n: number) =>
      stores.quotes.savePoll({
        raceId,
        bookmakerKey: 'ladbrokes_au',
        fence: { epoch: 1, attempt },
        observedAt: before(1800 - n),
        bookAt: null,
        // Changed, unchanged and 304, some of them waiting for others when the claim comes.
        snapshot: n % 3 === 2 ? null : raceSnapshot({ runners: feedField(attempt, n + 2 - (n % 3)) }),
        marketStateSource: false,
        startSource: false,
        mayWait: n % 2 === 0,
      });
    const old = Array.from({ length: 30 }, (_, n) => write(1, n));
    expect(await stores.control.claim(raceId, 1, 2, before(1))).toBe(true);
    const written = async () =>
      JSON.stringify([
        await win(raceId),
        (await db.pool.query('SELECT count(*) FROM price_ticks WHERE race_id = $1', [raceId])).rows,
        (await db.pool.query('SELECT polled_at FROM race_books WHERE race_id = $1 ORDER BY 1', [raceId])).rows,
      ]);
    const atClaim = await written();
    await Promise.all(old);
    expect(await written()).toBe(atClaim);
    expect(await write(2, 100)).toMatchObject({ fenced: false });
  }
});

describe('what a workflow has taken in, and what the database has beyond it', () => {
  const taken = (stored: StoredRace, startVersion: number, abandonmentVersion = 0) => ({
    ...control(stored, 1),
    startVersion,
    abandonmentVersion,
  });

  test('a moved start counts as unseen until a control row has it; a start that moved back does not', async () => {
    const stored = await race();
    const { raceId, stores, before: at } = stored;
    const unseen = async () => (await stores.control.readControl(raceId))!.unseen;
    expect(await unseen()).toBeNull();
    await stored.poll(1800, { startTime: at(-600) }, { startSource: true });
    expect(await unseen()).toEqual({ start: { advertisedStart: at(-600), version: 2 }, abandonment: null });
    expect((await stores.control.unseen()).get(raceId)).toEqual(await unseen());
    await stores.control.setControl({ ...taken(stored, 2), advertisedStart: at(-600) }, at(1790));
    expect([await unseen(), (await stores.control.unseen()).has(raceId)]).toEqual([null, false]);
    await stored.poll(1700, { startTime: at(0) }, { startSource: true });
    await stores.control.setControl({ ...taken(stored, 2), closed: true }, at(1690));
    expect(await unseen()).toBeNull();
  });

  test('an order to abandon has one version; a race with a final result has none to take', async () => {
    const stored = await race();
    const { raceId, stores, before: at } = stored;
    const order = (id: string) =>
      stores.control.orderAbandonment({ raceId, note: 'abandoned', source: 'operator', order: id }, at(100));
    expect([await order('a'), await order('a'), await order('b'), await order('a')]).toEqual([1, 1, 2, 2]);
    const abandonment = { note: 'abandoned', source: 'operator', version: 2 };
    expect((await stores.control.unseen()).get(raceId)).toEqual({ start: null, abandonment });
    await stores.control.setControl(taken(stored, 1, 2), at(90));
    expect((await stores.control.unseen()).has(raceId)).toBe(false);
    // The previous release writes neither version.
    await stores.control.setControl(control(stored, 2), at(80));
    expect(await stores.control.readControl(raceId)).toMatchObject({ abandonmentVersion: 2, startVersion: null });
  });

  test.each([
    ['has the same start: the next move counts from the workflow’s version', 0, 5, null],
    ['has another start: that is the next move', 600, 6, 6],
  ])('a restored database that is behind the workflow and %s', async (_, secondsEarlier, version, signalled) => {
    const stored = await race();
    const { raceId, stores, before: at } = stored;
    const advertisedStart = at(secondsEarlier);
    await stores.control.setControl({ ...taken(stored, 5), advertisedStart }, at(1000));
    expect(await stores.races.raceHeader(raceId)).toMatchObject({ startVersion: version, startTime: at(0) });
    const { unseen } = (await stores.control.readControl(raceId))!;
    expect(unseen?.start?.version ?? null).toBe(signalled);
  });

  test('the fence’s epoch is the newest that would refuse a poller, also if the control row is older or lost', async () => {
    const { raceId, stores, before: at } = await race();
    await stores.control.claim(raceId, 7, 1, at(10));
    expect(await stores.control.heldEpoch(raceId)).toBe(7);
    await db.pool.query('UPDATE race_control SET epoch = 3 WHERE race_id = $1', [raceId]);
    expect(await stores.control.heldEpoch(raceId)).toBe(7);
    await db.pool.query('DELETE FROM race_control WHERE race_id = $1', [raceId]);
    expect(await stores.control.heldEpoch(raceId)).toBe(7);
    await db.pool.query('DELETE FROM race_books WHERE race_id = $1', [raceId]);
    expect(await stores.control.heldEpoch(raceId)).toBeNull();
  });
});
