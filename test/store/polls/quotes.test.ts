import { feedField, feedRunner } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
// One meeting per test, because the tests share a database.
let venue = 0;
const race = (over = {}, books?: string[]) => storeRace(db, { venue: `Venue ${++venue}`, ...over }, books);

const quotes = async (raceId: string, book = 'ladbrokes_au') => {
  const { rows } = await db.pool.query('SELECT * FROM race_books WHERE race_id = $1 AND bookmaker_key = $2', [
    raceId,
    book,
  ]);
  return rows[0];
};
const ticks = async (raceId: string) => {
  const { rows } = await db.pool.query(
    `SELECT runner_number AS number, runner_key AS key, secs_to_jump AS secs, win_price AS win, place_price AS place
       FROM price_ticks WHERE race_id = $1 ORDER BY captured_at, runner_number`,
    [raceId],
  );
  return rows;
};
const raceRow = async (raceId: string) =>
  (await db.pool.query('SELECT * FROM races WHERE race_id = $1', [raceId])).rows[0];

test('a first poll stores every price with its legs, tote and link, and stamps freshness', async () => {
  const { raceId, poll, before } = await race();
  const runners = [
    feedRunner(2, { win: 4.2, place: 1.6, top2: 2.1, top3: 1.6, top4: 1.3, toteWin: { PROV: 4.8 } }),
    feedRunner(1, { win: 2.5 }),
  ];
  const bookAt = before(7202);
  const verdict = await poll(7200, { runners, sourceUrl: 'https://book.example/r1' }, { bookAt });
  expect(verdict).toMatchObject({ fenced: false, changed: 2, ticks: 0, startMoved: false, startVersion: 1 });
  expect(await quotes(raceId)).toMatchObject({
    numbers: [1, 2],
    runner_keys: ['runner1', 'runner2'],
    win: [2.5, 4.2],
    place: [null, 1.6],
    top2: [null, 2.1],
    top3: [null, 1.6],
    top4: [null, 1.3],
    tote: { 2: { PROV: 4.8 } },
    polled_at: before(7200),
    book_at: bookAt,
    source_url: 'https://book.example/r1',
    win_changed_at: [before(7200), before(7200)],
  });
});

test('an unchanged poll stamps freshness only', async () => {
  const { raceId, poll, before } = await race();
  await poll(7200, { runners: feedField(2.5, 4.2) });
  const first = await quotes(raceId);
  const raceBefore = await raceRow(raceId);
  expect(await poll(7180, { runners: feedField(2.5, 4.2) })).toMatchObject({ changed: 0, ticks: 0 });
  expect(await quotes(raceId)).toEqual({ ...first, polled_at: before(7180) });
  expect(await raceRow(raceId)).toEqual(raceBefore);
});

test('only the runner whose win price moved is stamped as changed; a place-only move is not (A 2.8)', async () => {
  const { raceId, poll, before } = await race();
  await poll(7200, { runners: feedField(2.5, 4.2) });
  expect(await poll(7180, { runners: feedField(2.5, 4) })).toMatchObject({ changed: 1 });
  expect((await quotes(raceId)).win_changed_at).toEqual([before(7200), before(7180)]);
  const placeMoved = [feedRunner(1, { win: 2.5, place: 1.4 }), feedRunner(2, { win: 4 })];
  expect(await poll(7160, { runners: placeMoved })).toMatchObject({ changed: 0 });
  expect(await quotes(raceId)).toMatchObject({ win_changed_at: [before(7200), before(7180)], place: [1.4, null] });
});

test('capture begins exactly 60 minutes before the jump with a baseline tick per priced runner', async () => {
  const { raceId, poll } = await race();
  expect(await poll(3601, { runners: feedField(2.5, null, 8) })).toMatchObject({ ticks: 0 });
  expect(await poll(3600, { runners: feedField(2.5, null, 8) })).toMatchObject({ ticks: 2, changed: 0 });
  expect(await ticks(raceId)).toEqual([
    { number: 1, key: 'runner1', secs: 3600, win: 2.5, place: null },
    { number: 3, key: 'runner3', secs: 3600, win: 8, place: null },
  ]);
});

test('inside the window only a win-price move is a tick', async () => {
  const { raceId, poll } = await race();
  await poll(3000, { runners: feedField(2.5, 4.2) });
  await poll(2980, { runners: feedField(2.5, 4.2) });
  await poll(2960, { runners: [feedRunner(1, { win: 2.5, place: 1.3 }), feedRunner(2, { win: 4.2 })] });
  await poll(2940, { runners: [feedRunner(1, { win: 2.6, place: 1.35 }), feedRunner(2, { win: 4.2 })] });
  // Withdrawn and back at the same price: a gap, not a move.
  await poll(2920, { runners: feedField(null, 4.2) });
  await poll(2900, { runners: feedField(2.6, 4.2) });
  expect(await ticks(raceId)).toEqual([
    { number: 1, key: 'runner1', secs: 3000, win: 2.5, place: null },
    { number: 2, key: 'runner2', secs: 3000, win: 4.2, place: null },
    { number: 1, key: 'runner1', secs: 2940, win: 2.6, place: 1.35 },
  ]);
});

test('a delayed race is captured past its advertised start; a closed book or market is not', async () => {
  const { raceId, poll } = await race({}, ['ladbrokes_au', 'pointsbetau']);
  await poll(10, { runners: feedField(2.5) });
  await poll(-30, { runners: feedField(2.4) });
  await poll(-40, { runners: feedField(2.2), marketStatus: 'CLOSED' });
  expect((await ticks(raceId)).map((tick) => tick.secs)).toEqual([10, -30]);
  await poll(
    -50,
    { runners: feedField(9), marketStatus: 'CLOSED' },
    { bookmakerKey: 'pointsbetau', marketStateSource: true },
  );
  await poll(-60, { runners: feedField(2), marketStatus: 'OPEN' });
  expect((await ticks(raceId)).map((tick) => tick.secs)).toEqual([10, -30]);
});

test('a repeated poll is one tick, even if both run at once', async () => {
  const { raceId, poll } = await race();
  await poll(1800, { runners: feedField(2.5) });
  const twice = Array.from({ length: 6 }, () => poll(1780, { runners: feedField(2.7) }));
  const outcomes = await Promise.all(twice);
  expect(outcomes.reduce((sum, verdict) => sum + verdict.ticks, 0)).toBe(1);
  await poll(1780, { runners: feedField(2.7) });
  expect(await ticks(raceId)).toHaveLength(2);
});

test('a reply that arrives after a newer one changes nothing', async () => {
  const { raceId, poll } = await race();
  await poll(1800, { runners: feedField(2.5) });
  await poll(1700, { runners: feedField(3) });
  const stored = await quotes(raceId);
  expect(await poll(1750, { runners: feedField(2.8) })).toMatchObject({ fenced: false, changed: 0, ticks: 0 });
  expect(await poll(1751, { runners: feedField(3) })).toMatchObject({ changed: 0, ticks: 0 });
  expect(await quotes(raceId)).toEqual(stored);
  expect(await ticks(raceId)).toHaveLength(2);
});

test('a 304 stamps freshness, and captures the stored prices if the window has opened since', async () => {
  const { raceId, poll, before } = await race();
  await poll(3700, { runners: feedField(2.5, 4.2), marketStatus: 'OPEN', sourceUrl: 'https://book.example/r' });
  expect(await poll(3650, null)).toMatchObject({ changed: 0, ticks: 0 });
  expect(await poll(3500, null)).toMatchObject({ changed: 0, ticks: 2 });
  expect(await poll(3480, null)).toMatchObject({ changed: 0, ticks: 0 });
  expect(await quotes(raceId)).toMatchObject({
    polled_at: before(3480),
    win: [2.5, 4.2],
    market_status: 'OPEN',
    source_url: 'https://book.example/r',
  });
  expect(
    await poll(3470, { runners: feedField(2.5, 4.2), marketStatus: 'OPEN', sourceUrl: 'https://book.example/r' }),
  ).toMatchObject({ changed: 0, ticks: 0 });
});

test('a runner missing from the reply is kept without prices and counts as changed; it may come back', async () => {
  const { raceId, poll, before } = await race();
  await poll(1800, { runners: feedField(2.5, 4.2, 8) });
  expect(await poll(1780, { runners: [feedRunner(1, { win: 2.5 }), feedRunner(4, { win: 21 })] })).toMatchObject({
    changed: 3,
    ticks: 1,
  });
  expect(await quotes(raceId)).toMatchObject({
    numbers: [1, 2, 3, 4],
    win: [2.5, null, null, 21],
    win_changed_at: [before(1800), before(1780), before(1780), before(1780)],
  });
  expect(await poll(1760, { runners: feedField(2.5, 4.2, 9) })).toMatchObject({ changed: 3, ticks: 1 });
  expect(await quotes(raceId)).toMatchObject({ numbers: [1, 2, 3, 4], win: [2.5, 4.2, 9, null] });
});

test('a new runner under a number starts a new price path, even at the same price', async () => {
  const { raceId, poll } = await race();
  await poll(1800, { runners: [feedRunner(1, { name: 'Old Dog', win: 5 }), feedRunner(2, { name: 'Rover', win: 3 })] });
  await poll(1780, { runners: [feedRunner(1, { name: 'New Dog', win: 5 }), feedRunner(2, { name: 'Rover', win: 3 })] });
  expect(await ticks(raceId)).toMatchObject([
    { number: 1, key: 'olddog', win: 5 },
    { number: 2, key: 'rover', win: 3 },
    { number: 1, key: 'newdog', secs: 1780, win: 5 },
  ]);
});

test('runner names that are SQL keywords, empty or quoted are stored as they are', async () => {
  const { raceId, poll } = await race();
  const names = ['NULL', '....', `O'Reilly "The {Man}", \\`, '日本'];
  await poll(1800, { runners: names.map((name, i) => feedRunner(i + 1, { name, win: 3 })) });
  expect((await quotes(raceId)).runner_keys).toEqual(['null', '', 'oreillytheman', '']);
  const { rows } = await db.pool.query('SELECT name FROM race_runners WHERE race_id = $1 ORDER BY number', [raceId]);
  expect(rows.map((row) => row.name)).toEqual(names);
});

test('the race has the market state of its source; market_closed_at is the first poll that reported it closed, and is kept', async () => {
  const { raceId, poll, before } = await race({}, ['pointsbetau']);
  const state = (secs: number, marketStatus: 'OPEN' | 'SUSPENDED' | 'CLOSED') =>
    poll(secs, { marketStatus }, { marketStateSource: true });
  expect(await state(100, 'OPEN')).toMatchObject({ marketClosedAt: null });
  expect(await state(20, 'SUSPENDED')).toMatchObject({ marketClosedAt: null });
  expect(await raceRow(raceId)).toMatchObject({ market_status: 'SUSPENDED', market_state_source: 'pointsbetau' });
  expect(await state(-20, 'CLOSED')).toMatchObject({ marketClosedAt: before(-20) });
  expect(await state(-28, 'CLOSED')).toMatchObject({ marketClosedAt: before(-20) });
  expect(await state(-40, 'OPEN')).toMatchObject({ marketClosedAt: before(-20) });
  expect(await state(-60, 'CLOSED')).toMatchObject({ marketClosedAt: before(-20) });
  expect(await raceRow(raceId)).toMatchObject({
    market_status: 'CLOSED',
    market_closed_at: before(-20),
    updated_at: before(-60),
  });
});

test('another book’s market state applies to that book only', async () => {
  const { raceId, poll } = await race();
  await poll(20, { marketStatus: 'CLOSED' });
  expect(await raceRow(raceId)).toMatchObject({
    market_status: null,
    market_closed_at: null,
    market_state_source: null,
  });
  expect(await quotes(raceId)).toMatchObject({ market_status: 'CLOSED' });
});

test('inplay_at is set once, by a book that reports it', async () => {
  const { raceId, poll, before } = await race();
  await poll(20, { inPlay: false });
  await poll(-5, { inPlay: true });
  await poll(-15, { inPlay: true });
  await poll(-25, { inPlay: false });
  expect(await raceRow(raceId)).toMatchObject({ inplay: false, inplay_at: before(-5) });
});

test('only its source moves a start; moves are counted, and the capture window follows', async () => {
  const { raceId, poll, before } = await race();
  const later = before(-600);
  expect(await poll(3700, { startTime: later }, { startSource: false })).toMatchObject({
    startMoved: false,
    startVersion: 1,
  });
  expect(await poll(3650, { startTime: later })).toMatchObject({ startMoved: true, startVersion: 2 });
  expect(await poll(3600, { startTime: later })).toMatchObject({ startMoved: false, startVersion: 2, ticks: 0 });
  expect(await poll(3000, { startTime: later })).toMatchObject({ ticks: 3 });
  expect(await raceRow(raceId)).toMatchObject({ start_time: later, start_version: 2, updated_at: before(3650) });
  expect((await ticks(raceId))[0]).toMatchObject({ secs: 3600 });
});

test('a book that does not list the race cannot be polled for it', async () => {
  const { poll } = await race();
  await expect(poll(100, {}, { bookmakerKey: 'neds' })).rejects.toThrow(/neds does not list race/);
});
