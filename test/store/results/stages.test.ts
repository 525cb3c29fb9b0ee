// What a result keeps from stage to stage (A 3), and the market's stamps on it (A 2.2).
import type { FeedResult } from '../../../src/domain/race/feed-race';
import { feedResult, feedRunner } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
let venue = 0;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const placings = (...numbers: number[]) => numbers.map((number, i) => ({ position: i + 1, number, name: null }));
const EXACTA = { code: 'EX' as const, product: 'VIC', selection: '1,2', amount: 12.4 };

async function race() {
  const stored = await storeRace(db, { venue: `Venue ${++venue}` }, ['ladbrokes_au', 'neds', 'tab', 'pointsbetau']);
  const { raceId, stores, poll, before } = stored;
  const after = (minutes: number) => before(-60 * minutes);
  const save = (source: string, minutesAfter: number, result: Partial<FeedResult> = {}) =>
    stores.results.saveResult({ raceId, source, result: feedResult(result), at: after(minutesAfter) });
  const shut = (secondsAfter: number) =>
    poll(-secondsAfter, { marketStatus: 'CLOSED' }, { bookmakerKey: 'pointsbetau', marketStateSource: true });
  const leaveBoard = (minutesAfter: number) =>
    stores.races.savePhase(raceId, 'jumped', { leftBoardAt: after(minutesAfter) }, after(minutesAfter));
  const abandon = (minutesAfter: number, note = 'abandoned') =>
    stores.results.abandon(raceId, note, 'lifecycle', after(minutesAfter));
  const row = async () => (await db.pool.query('SELECT * FROM race_results WHERE race_id = $1', [raceId])).rows[0];
  return { ...stored, ...stores.results, after, save, shut, leaveBoard, abandon, row };
}

describe('the market’s stamps on an abandoned race', () => {
  test('are copied while the race is on the board; after a late notice they stay null', async () => {
    const live = await race();
    await live.shut(30);
    await live.abandon(5);
    expect(await live.row()).toMatchObject({ market_closed_at: live.before(-30), market_state_source: 'pointsbetau' });
    const late = await race();
    await late.shut(30);
    await late.leaveBoard(10);
    await late.abandon(90);
    expect(await late.row()).toMatchObject({ status: 'abandoned', market_closed_at: null, market_state_source: null });
  });

  test('are kept if its interim result has them; missing ones are copied while the race is live', async () => {
    const withStamps = await race();
    await withStamps.shut(30);
    await withStamps.save('tab', 3);
    await withStamps.leaveBoard(10);
    await withStamps.abandon(20);
    expect(await withStamps.row()).toMatchObject({ status: 'abandoned', market_closed_at: withStamps.before(-30) });
    const lacking = await race();
    await lacking.save('tab', 0);
    await lacking.shut(30);
    await lacking.abandon(2);
    expect(await lacking.row()).toMatchObject({ status: 'abandoned', market_closed_at: lacking.before(-30) });
  });
});

test('only the given placings become final: later placings or a protest keep the result interim', async () => {
  const { raceId, finalise, save, after, row } = await race();
  await save('tab', 3);
  const { placings_key: stood } = await row();
  await save('tab', 33, { placings: placings(3, 2, 1) });
  expect(await finalise(raceId, after(33), stood)).toMatchObject({ status: 'interim', placingsKey: '1:3|2:2|3:1' });
  await save('tab', 34, { placings: placings(3, 2, 1), protest: true });
  expect(await finalise(raceId, after(64), '1:3|2:2|3:1')).toMatchObject({ status: 'interim', protest: true });
  await save('tab', 65, { placings: placings(3, 2, 1) });
  expect(await finalise(raceId, after(95), '1:3|2:2|3:1')).toMatchObject({ status: 'final' });
  expect(await row()).toMatchObject({ finalised_at: after(95) });
});

test('a final keeps the note and source with which it became final', async () => {
  const { raceId, finalise, save, after, row } = await race();
  await save('tab', 3, { note: 'photo' });
  await finalise(raceId, after(33));
  const final = await row();
  await save('ladbrokes_au', 40, { placings: placings(3, 2, 1), stage: 'final', note: 'amended' });
  expect(await row()).toEqual(final);
  await save('ladbrokes_au', 41, { placings: placings(3, 2, 1), stage: 'final', exotics: [EXACTA] });
  expect(await row()).toEqual({
    ...final,
    dividends: expect.objectContaining({ exotics: [expect.objectContaining({ selection: '1,2', amount: 12.4 })] }),
    updated_at: after(41),
  });
});

test('a final loses no dividend and no deduction, whatever its book reports later; new ones are added', async () => {
  const { raceId, poll, finalise, save, after, row } = await race();
  const out = (number: number, winDeduction: number | null) =>
    feedRunner(number, { scratching: { at: null, late: true, winDeduction, placeDeduction: null } });
  const card = (secondsBefore: number, ...runners: ReturnType<typeof feedRunner>[]) =>
    poll(secondsBefore, { runners: [feedRunner(1, { win: 2 }), ...runners] });
  const box = feedRunner(6, { ...out(6, 0), name: 'Vacant Box' });
  await card(600, out(4, 0.12), out(5, null), box);
  await save('tab', 3, { exotics: [EXACTA] });
  await finalise(raceId, after(33));
  await card(-2400, feedRunner(4), out(5, 0.05));
  await save('tab', 41, { placings: placings(3, 2, 1) });
  const { deductions, dividends } = await row();
  expect(deductions).toMatchObject([
    { number: 4, win: 0.12 },
    { number: 5, win: 0.05 },
  ]);
  expect(dividends.exotics).toHaveLength(1);
});

test('dividends and deductions are still declared beside an operator’s placings', async () => {
  const { raceId, override, poll, save, after, row } = await race();
  await save('tab', 3);
  await override(raceId, placings(2, 1), 'photo re-read', after(5));
  const scratching = { at: null, late: true, winDeduction: 0.1, placeDeduction: null };
  await poll(-360, { runners: [feedRunner(1), feedRunner(9, { scratching })] });
  await save('ladbrokes_au', 8, { exotics: [EXACTA] });
  expect(await row()).toMatchObject({
    overridden: true,
    placings_key: '1:2|2:1',
    source: 'operator',
    status_note: 'photo re-read',
    dividends: { exotics: [{ amount: 12.4 }] },
    deductions: [{ number: 9, win: 0.1 }],
  });
});

test('new placings of an operator make a final interim for their own thirty minutes; the same placings leave it final', async () => {
  const { raceId, override, finalise, abandon, save, after, row } = await race();
  await save('tab', 3);
  await finalise(raceId, after(33));
  expect(await override(raceId, placings(1, 2, 3), 'confirmed', after(40))).toMatchObject({ status: 'final' });
  expect(await row()).toMatchObject({ finalised_at: after(33), placings_since: after(3) });
  expect(await override(raceId, placings(2, 1, 3), 'upheld', after(50))).toMatchObject({ status: 'interim' });
  expect(await row()).toMatchObject({ finalised_at: null, placings_since: after(50), resulted_at: after(3) });
  await finalise(raceId, after(80));
  await abandon(90);
  expect(await row()).toMatchObject({ status: 'final', finalised_at: after(80), placings_key: '1:2|2:1|3:3' });
});

test('a race reinstated after a late abandonment loses its earlier result and may have another', async () => {
  const { raceId, override, reinstate, save, shut, leaveBoard, abandon, after, row } = await race();
  await shut(30);
  await save('tab', 3, { exotics: [EXACTA] });
  await override(raceId, placings(9), 'wrong race', after(5));
  await leaveBoard(10);
  await abandon(20, 'postponed');
  await abandon(21, 'transferred to Bendigo');
  expect(await row()).toMatchObject({ status_note: 'transferred to Bendigo', price_source: null, overridden: false });
  await reinstate(raceId, after(30));
  expect(await row()).toBeUndefined();
  expect(await save('ladbrokes_au', 40)).toMatchObject({
    status: 'interim',
    placingsSince: after(40),
    overridden: false,
  });
  expect(await row()).toMatchObject({ dividends: null, resulted_at: after(40) });
});
