import type { FeedResult } from '../../../src/domain/race/feed-race';
import { feedResult, feedRunner, resultRunner } from '../../support/races/builders';
import { storeRace } from '../../support/races/stored-race';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
let venue = 0;
const race = async (over = {}) => {
  const stored = await storeRace(db, { venue: `Venue ${++venue}`, ...over }, [
    'ladbrokes_au',
    'neds',
    'tab',
    'pointsbetau',
  ]);
  const save = (source: string, minutesAfter: number, result: Partial<FeedResult>) =>
    stored.stores.results.saveResult({
      raceId: stored.raceId,
      source,
      result: feedResult(result),
      at: stored.before(-60 * minutesAfter),
    });
  return { ...stored, save };
};
const row = async (raceId: string) =>
  (await db.pool.query('SELECT * FROM race_results WHERE race_id = $1', [raceId])).rows[0];
const placings = (...numbers: number[]) => numbers.map((number, i) => ({ position: i + 1, number, name: null }));

const RUNNER = resultRunner(1, { sp: 2.4, sp_note: 'F', runner_ref: 'ra:1', origin: 'racing_australia' });
const FIELD = [RUNNER, ...[2, 3].map((number) => resultRunner(number, { origin: 'racing_australia' }))];

test('a first result is interim, with names, the settling book’s last fixed prices and the market’s stamps', async () => {
  const { raceId, poll, save, before } = await race();
  await poll(60, { runners: [1, 2, 3].map((n) => feedRunner(n, { win: n + 1, place: 1 + n / 10 })) });
  await poll(50, { runners: [1, 2, 3].map((n) => feedRunner(n, { win: n + 5 })) }, { bookmakerKey: 'neds' });
  await poll(-30, { marketStatus: 'CLOSED', runners: [] }, { bookmakerKey: 'pointsbetau', marketStateSource: true });
  const stored = await save('tab', 3, { placings: placings(2, 1, 3) });
  expect(stored).toMatchObject({
    status: 'interim',
    placingsKey: '1:2|2:1|3:3',
    placingsSince: before(-180),
    resultedAt: before(-180),
    fieldStatus: 'pending',
  });
  expect(await row(raceId)).toMatchObject({
    placings: [
      { position: 1, number: 2, name: 'Runner 2', win_price: 3, place_price: 1.2 },
      { position: 2, number: 1, name: 'Runner 1', win_price: 2, place_price: 1.1 },
      { position: 3, number: 3, name: 'Runner 3', win_price: 4, place_price: 1.3 },
    ],
    market_closed_at: before(-30),
    market_state_source: 'pointsbetau',
    source: 'tab',
    runners: null,
  });
});

test('a price that the book has taken down is settled from its last tick', async () => {
  const { raceId, poll, save } = await race();
  await poll(60, { runners: [feedRunner(1, { win: 2.4, place: 1.3 })] });
  await poll(-20, { runners: [feedRunner(1)] });
  await poll(-25, { runners: [feedRunner(1, { win: 99 })] }, { bookmakerKey: 'tab' });
  await save('tab', 3, { placings: placings(1) });
  // The first book in settling order settles, even if only a later one still shows a price.
  expect((await row(raceId)).placings[0]).toMatchObject({ win_price: 2.4, place_price: 1.3 });
});

test('the best-ranked book’s placings win, in any order of reports', async () => {
  const a = await race();
  await a.save('tab', 3, { placings: placings(1, 2, 3) });
  expect(await a.save('ladbrokes_au', 4, { placings: placings(2, 1, 3) })).toMatchObject({
    placingsKey: '1:2|2:1|3:3',
  });
  expect(await a.save('tab', 5, { placings: placings(1, 2, 3) })).toMatchObject({
    placingsKey: '1:2|2:1|3:3',
    placingsSince: a.before(-240),
  });
  const b = await race();
  await b.save('ladbrokes_au', 3, { placings: [] });
  expect(await b.save('tab', 4, { placings: placings(1, 2) })).toMatchObject({ placingsKey: '1:1|2:2' });
});

test('placings_since moves only when the placings do; reordering a dead heat is not a move', async () => {
  const { save, before } = await race();
  const heat = (...numbers: number[]) => ({ placings: numbers.map((number) => ({ position: 1, number, name: null })) });
  await save('tab', 3, heat(4, 2));
  expect(await save('tab', 6, heat(2, 4))).toMatchObject({ placingsSince: before(-180) });
  expect(await save('tab', 9, heat(2, 5))).toMatchObject({ placingsSince: before(-540), resultedAt: before(-180) });
});

test('a repeated report writes nothing', async () => {
  const { raceId, save } = await race();
  await save('tab', 3, {});
  const first = await row(raceId);
  await save('tab', 5, {});
  expect(await row(raceId)).toEqual(first);
});

test('a protest is stored and keeps the result interim; a final is never demoted, but its dividends still come', async () => {
  const { raceId, stores, save, before } = await race();
  expect(await save('tab', 3, { protest: true })).toMatchObject({ status: 'interim', protest: true });
  expect(await save('tab', 5, { protest: false })).toMatchObject({ protest: false });
  expect(await stores.results.finalise(raceId, before(-2000))).toMatchObject({ status: 'final' });
  const exotic = { code: 'EX' as const, product: 'VIC', selection: '1,2', amount: 12.4 };
  const after = await save('ladbrokes_au', 40, { placings: placings(3, 2, 1), protest: true, exotics: [exotic] });
  expect(after).toMatchObject({ status: 'final', placingsKey: '1:1|2:2|3:3', protest: false });
  expect(await row(raceId)).toMatchObject({
    finalised_at: before(-2000),
    dividends: {
      straight: [],
      exotics: [{ code: 'EX', type: 'Exacta', product: 'VIC', selection: '1,2', amount: 12.4 }],
      multi_race: [],
      straight_types: [],
    },
  });
  await stores.results.finalise(raceId, before(-9000));
  expect((await row(raceId)).finalised_at).toBe(before(-2000));
});

test('each product’s dividends come from the first book that declares it, with positions, and legs with their races', async () => {
  const { raceId, save } = await race({ raceNumber: 8 });
  const win = (amount: number, product: string) => ({ market: 'WIN' as const, product, number: 1, amount });
  await save('tab', 3, { straight: [win(3.1, 'VIC'), win(3, 'FIXED')] });
  await save('ladbrokes_au', 4, {
    straight: [win(2.9, 'FIXED')],
    multiRace: [
      {
        code: 'DD',
        type: 'Daily Double',
        product: 'VIC',
        legs: [{ raceNumber: 7 }, { raceNumber: 8 }],
        selection: '4/1',
        amount: 20.5,
      },
    ],
  });
  expect((await row(raceId)).dividends).toEqual({
    straight: [
      { name: 'Runner 1', number: 1, position: 1, market: 'WIN', product: 'FIXED', amount: 2.9 },
      { name: 'Runner 1', number: 1, position: 1, market: 'WIN', product: 'VIC', amount: 3.1 },
    ],
    exotics: [],
    multi_race: [
      {
        code: 'DD',
        type: 'Daily Double',
        legs: [
          { race_number: 7, race_id: null },
          { race_number: 8, race_id: raceId },
        ],
        selection: '4/1',
        product: 'VIC',
        amount: 20.5,
      },
    ],
    straight_types: ['FIXED', 'VIC'],
  });
});

test('deductions are those of scratched runners, as fractions of a dollar', async () => {
  const { raceId, poll, save, before } = await race();
  const scratching = { at: before(3000), late: true, winDeduction: 0.12, placeDeduction: null };
  await poll(2900, {
    runners: [
      feedRunner(1, { win: 2 }),
      feedRunner(2, { scratching }),
      feedRunner(3, { scratching: { ...scratching, winDeduction: null } }),
    ],
  });
  await save('tab', 3, { placings: placings(1) });
  expect((await row(raceId)).deductions).toEqual([
    {
      number: 2,
      name: 'Runner 2',
      win: 0.12,
      place: null,
      scratched_at: expect.stringContaining(before(3000).slice(0, 19)),
    },
  ]);
});

test('a feed does not change an operator’s placings', async () => {
  const { raceId, stores, save, before } = await race();
  await save('tab', 3, {});
  expect(await stores.results.override(raceId, placings(9, 8), 'photo re-read', before(-600))).toMatchObject({
    overridden: true,
    placingsKey: '1:9|2:8',
    placingsSince: before(-600),
    status: 'interim',
  });
  expect(await save('ladbrokes_au', 12, { placings: placings(1, 2, 3) })).toMatchObject({
    placingsKey: '1:9|2:8',
    overridden: true,
  });
  expect(await row(raceId)).toMatchObject({ status_note: 'photo re-read', source: 'operator' });
  expect(await stores.results.finalise(raceId, before(-3000))).toMatchObject({ status: 'final', overridden: true });
});

test('an abandoned race has no placings, runners or fields to collect; an operator can reinstate it, a feed cannot', async () => {
  const { raceId, stores, save, before } = await race();
  await stores.races.savePhase(raceId, 'abandoned', { leftBoardAt: before(500) }, before(500));
  await stores.results.abandon(raceId, 'postponed', 'lifecycle', before(600));
  expect(await save('tab', 3, {})).toMatchObject({ status: 'abandoned', placingsKey: '' });
  expect(await row(raceId)).toMatchObject({
    status_note: 'postponed',
    placings: [],
    runners: null,
    field_status: 'not_applicable',
    resulted_at: null,
  });
  expect(await stores.races.raceHeader(raceId)).toMatchObject({ status: 'abandoned' });
  await stores.results.reinstate(raceId, before(400));
  expect(await stores.results.read(raceId)).toBeNull();
  expect(await stores.races.raceHeader(raceId)).toMatchObject({ status: 'open', leftBoardAt: null });
  expect(await save('tab', 3, {})).toMatchObject({ status: 'interim' });
  await stores.results.reinstate(raceId, before(0));
  expect(await stores.results.read(raceId)).toMatchObject({ status: 'interim' });
});

test('a race with a final result cannot be abandoned', async () => {
  const { raceId, stores, save, before } = await race();
  await save('tab', 3, {});
  await stores.results.finalise(raceId, before(-2000));
  await stores.results.abandon(raceId, 'abandoned', 'lifecycle', before(-3000));
  expect(await stores.results.read(raceId)).toMatchObject({ status: 'final' });
  expect(await stores.races.raceHeader(raceId)).toMatchObject({ status: 'open' });
});

test('a result written after the race left the board keeps null stamps (A 2.2)', async () => {
  const { raceId, stores, poll, save, before } = await race();
  await poll(-30, { marketStatus: 'CLOSED' }, { bookmakerKey: 'pointsbetau', marketStateSource: true });
  await stores.races.savePhase(raceId, 'jumped', { leftBoardAt: before(-630) }, before(-630));
  await save('tab', 30, {});
  expect(await row(raceId)).toMatchObject({ market_closed_at: null, market_state_source: null });
});

test('the field: pending moves on, any fill completes it, and nothing undoes that', async () => {
  const { raceId, stores, save, before } = await race();
  await save('tab', 3, {});
  const overdue = { status: 'overdue', source: 'racing_australia', note: 'late', expectedAt: null } as const;
  await stores.results.saveFieldState(raceId, overdue, before(-1e5));
  expect(await row(raceId)).toMatchObject({ field_status: 'overdue', field_note: 'late' });
  await stores.results.saveFieldState(raceId, { ...overdue, status: 'unavailable' }, before(-1e6));
  await stores.results.fillField(raceId, FIELD, 'racing_australia', before(-2e6));
  expect(await row(raceId)).toMatchObject({ field_status: 'complete', field_note: null, runners: FIELD });
  await stores.results.saveFieldState(raceId, overdue, before(-3e6));
  await save('tab', 4, { placings: placings(2) });
  expect(await row(raceId)).toMatchObject({ field_status: 'complete', runners: FIELD });
});

test('a status never goes back, and neither does the instant of a pass', async () => {
  const { raceId, stores, save, before } = await race();
  await save('tab', 3, {});
  const state = (status: 'pending' | 'overdue' | 'unavailable', expectedAt: string | null = null) =>
    ({ status, source: 'racing_australia', note: status, expectedAt }) as const;
  await stores.results.saveFieldState(raceId, state('overdue'), before(-1e5), before(-1e5));
  await stores.results.saveFieldState(raceId, state('pending', before(-9e5)), before(-1.1e5));
  expect(await stores.results.read(raceId)).toMatchObject({ fieldStatus: 'overdue', fieldLastPassAt: before(-1e5) });
  await stores.results.saveFieldState(raceId, state('overdue'), before(-2e5), before(-2e5));
  await stores.results.saveFieldState(raceId, state('overdue'), before(-2.1e5), before(-1e5));
  await stores.results.saveFieldState(raceId, state('unavailable'), before(-3e5));
  await stores.results.saveFieldState(raceId, state('overdue'), before(-4e5), before(-4e5));
  expect(await row(raceId)).toMatchObject({ field_status: 'unavailable', field_last_pass_at: before(-2e5) });
});

describe('a field that a registry published', () => {
  const CORRECTED = [2, 1, 3].map((number, i) => ({ ...FIELD[number - 1]!, position: i + 1 }));

  test('is written once a result agrees, interim or final, and then kept', async () => {
    const { raceId, stores, save, before: secondsBefore } = await race();
    const take = (field = FIELD) => stores.results.acceptField(raceId, field, 'racing_australia', secondsBefore(-1e5));
    expect(await take()).toBe('no_result');
    await save('tab', 3, {});
    expect(await take()).toBe('filled');
    const first = await row(raceId);
    expect(first).toMatchObject({ field_status: 'complete', field_source: 'racing_australia', runners: FIELD });
    expect(await take([{ ...FIELD[0]!, sp: 9 }, FIELD[1]!, FIELD[2]!])).toBe('already_stored');
    expect(await row(raceId)).toEqual(first);
  });

  test('is not written with another winner until the placings agree', async () => {
    const { raceId, stores, save, before: secondsBefore } = await race();
    await save('tab', 3, {});
    const take = () => stores.results.acceptField(raceId, CORRECTED, 'racing_australia', secondsBefore(-1e5));
    expect(await take()).toBe('contradicted');
    expect(await row(raceId)).toMatchObject({ field_status: 'pending', runners: null });
    await save('tab', 9, { placings: placings(2, 1, 3) });
    expect(await take()).toBe('filled');
  });

  test('gets a note if a protest moves the placings after it was stored, until the corrected field comes', async () => {
    const { raceId, stores, save, before: secondsBefore } = await race();
    await save('tab', 3, { protest: true });
    await stores.results.acceptField(raceId, FIELD, 'racing_australia', secondsBefore(-300));
    await save('tab', 9, { placings: placings(2, 1, 3) });
    expect(await row(raceId)).toMatchObject({
      field_status: 'complete',
      field_note: expect.stringContaining('differs'),
    });
    expect(await stores.results.acceptField(raceId, FIELD, 'racing_australia', secondsBefore(-900))).toBe(
      'contradicted',
    );
    expect(await stores.results.acceptField(raceId, CORRECTED, 'racing_australia', secondsBefore(-1e5))).toBe('filled');
    expect(await row(raceId)).toMatchObject({ field_status: 'complete', field_note: null, runners: CORRECTED });
  });

  test('may be written by hand even against the placings, with a note, but not for an abandoned race or a code without fields', async () => {
    const { raceId, stores, save, before: secondsBefore } = await race();
    await save('tab', 3, {});
    await stores.results.fillField(raceId, CORRECTED, 'racing_australia', secondsBefore(-600));
    expect(await row(raceId)).toMatchObject({
      field_status: 'complete',
      field_note: expect.stringContaining('differs'),
    });
    await stores.results.abandon(raceId, 'abandoned', 'lifecycle', secondsBefore(-700));
    expect(await stores.results.acceptField(raceId, FIELD, 'racing_australia', secondsBefore(-900))).toBe('abandoned');
    const trot = await race({ category: 'harness' });
    await trot.save('tab', 3, {});
    expect(await trot.stores.results.acceptField(trot.raceId, FIELD, null, secondsBefore(-900))).toBe('unsupported');
  });
});

test('no field is written without runners, without a result, or where no collector exists', async () => {
  const { raceId, stores, save, before: secondsBefore } = await race({ category: 'harness' });
  await expect(stores.results.fillField(raceId, [RUNNER], null, secondsBefore(0))).rejects.toThrow(/no result/);
  expect(await save('tab', 3, {})).toMatchObject({ fieldStatus: 'unsupported' });
  await expect(stores.results.fillField(raceId, [], null, secondsBefore(0))).rejects.toThrow(/has runners/);
  await expect(stores.results.fillField(raceId, [RUNNER], null, secondsBefore(0))).rejects.toThrow(/unsupported/);
});

test('simultaneous writes of several books have the same outcome as writes in turn', async () => {
  const { raceId, save } = await race();
  const writes = ['tab', 'neds', 'ladbrokes_au'].flatMap((book, i) =>
    Array.from({ length: 4 }, () => save(book, 3, { placings: placings(i + 1, 5, 6) })),
  );
  await Promise.all(writes);
  expect(await row(raceId)).toMatchObject({ placings_key: '1:3|2:5|3:6', source: 'ladbrokes_au' });
});
