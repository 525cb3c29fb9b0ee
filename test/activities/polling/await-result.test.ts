// After the jump: which result is reported and stored, how it becomes final, and what a restored database has of it.
import { carryOut } from '../../../src/activities/outcome/carry-out';
import type { ResultFacts } from '../../../src/activities/result-facts';
import { loadConfig } from '../../../src/config';
import { initialRace, type RaceEvent, step } from '../../../src/domain/lifecycle/lifecycle';
import { wholeState } from '../../../src/domain/lifecycle/race-effects';
import type { FeedResult } from '../../../src/domain/race/feed-race';
import { createFeeds } from '../../../src/feeds/registry';
import { type BookServer, json, startBookServer, status } from '../../feeds/support/book-server';
import { resultRunner } from '../../support/races/builders';
import { type ActivityLab, discovered, HOUR, MINUTE, NOON, openLab } from '../lab';
import { nextDelay, RACE } from './one-race';

const UNREACHABLE = loadConfig({ SIMULATOR_URL: 'http://127.0.0.1:1' }).feeds;
let lab: ActivityLab;
afterEach(() => lab.close());
/** Replaces each book's own value. */
let host: BookServer;
beforeAll(async () => {
  host = await startBookServer();
});
afterAll(() => host.close());

test('the result is reported once, without a price, and again only when it changes', async () => {
  lab = await openLab([RACE]);
  const raceId = await discovered(lab, 'live');
  const jumpedAt = new Date(RACE.startMs + 30_000).toISOString();
  lab.clock.nowMs = RACE.startMs + MINUTE;
  expect(await nextDelay(lab.run('awaitResult', [{ raceId, jumpedAt, known: null }]))).toBe(30_000);
  lab.clock.nowMs = RACE.startMs + 6 * MINUTE;
  const outcome = await lab.run('awaitResult', [{ raceId, jumpedAt, known: null }]);
  expect(outcome).toMatchObject({ kind: 'result', facts: { placingsKey: '1:4|2:2|3:6|4:1', protest: false } });
  expect(JSON.stringify(outcome)).not.toMatch(/price|dividend/);
  const known = { placingsKey: '1:4|2:2|3:6|4:1', protest: false };
  expect(await nextDelay(lab.run('awaitResult', [{ raceId, jumpedAt, known }]))).toBe(MINUTE);
});

test('a report that is stored is not written again; whatever differs from what is stored is', async () => {
  lab = await openLab([{ ...RACE, scratchings: [{ number: 3, secondsBefore: 20, kind: 'barrier' }] }]);
  const raceId = await discovered(lab, 'card');
  lab.clock.nowMs = RACE.startMs - 10 * MINUTE;
  const race = { raceId, epoch: 1, turn: 1, marketShut: false };
  await expect(lab.run('pollCard', [race])).rejects.toMatchObject({ type: 'NothingYet' });
  await lab.query('CREATE TABLE cards_before AS SELECT * FROM race_book_cards');
  lab.clock.nowMs = RACE.startMs + 20 * MINUTE;
  const jumpedAt = new Date(RACE.startMs).toISOString();
  const seen = await lab.run('awaitResult', [{ raceId, jumpedAt, known: null }]);
  const { placingsKey } = (seen as { facts: ResultFacts }).facts;
  const stored = () =>
    lab.query<{ book: string; result: FeedResult }>(
      'SELECT bookmaker_key AS book, result FROM race_book_results ORDER BY 1',
    );
  const result = () => lab.query<{ deductions: object[] }>('SELECT dividends, deductions, protest FROM race_results');
  const saves = jest.spyOn(lab.deps.stores.results, 'saveResult');
  const [reports, whole] = [await stored(), await result()];
  expect(reports.length).toBeGreaterThan(1);
  const again = () => {
    lab.clock.nowMs += MINUTE;
    return nextDelay(lab.run('awaitResult', [{ raceId, jumpedAt, known: { placingsKey, protest: false } }]));
  };
  expect(await again()).toBe(MINUTE);
  expect(await stored()).toEqual(reports);
  expect(saves).not.toHaveBeenCalled();

  // A report from before the last look, which arrives only now, changes nothing.
  const [seen0] = reports;
  const late = { raceId, source: seen0!.book, result: { ...seen0!.result, protest: true } };
  const earlier = new Date(lab.clock.nowMs - MINUTE / 2).toISOString();
  await lab.deps.stores.results.saveResult({ ...late, at: earlier });
  expect(await stored()).toEqual(reports);

  // The process ended after it had stored the card, before the result.
  await lab.query("UPDATE race_results SET deductions = '[]'");
  await again();
  expect(await result()).toEqual(whole);

  // Another worker stored a report that its book has taken back since: the merged result need not show it.
  const { book: source, result: own } = reports.find(({ result: { straight } }) => straight.length > 0)!;
  const other = own.straight.map((each) => ({ ...each, amount: 99 }));
  const at = new Date(lab.clock.nowMs).toISOString();
  await lab.deps.stores.results.saveResult({ raceId, source, result: { ...own, straight: other }, at });
  await again();
  expect((await stored()).map(({ book, result: now }) => [book, now])).toEqual(
    reports.map(({ book, result: now }) => [book, now]),
  );
  expect(await result()).toEqual(whole);

  // The scratching at the gates was lost, with its deduction.
  await lab.query(
    'UPDATE race_book_cards c SET card = b.card FROM cards_before b WHERE b.bookmaker_key = c.bookmaker_key',
  );
  await lab.query('UPDATE race_runners SET scratched = false, win_deduction = NULL, place_deduction = NULL');
  await lab.query("UPDATE race_results SET deductions = '[]'");
  await again();
  expect(await result()).toEqual(whole);

  // The result is gone, the reports are not.
  await lab.query('DELETE FROM race_results');
  lab.clock.nowMs += MINUTE;
  expect(await lab.run('awaitResult', [{ raceId, jumpedAt, known: null }])).toMatchObject({ kind: 'result' });
  expect(await result()).toEqual(whole);
});

test('a result received by a fenced-out poller is fetched again in full', async () => {
  lab = await openLab([RACE]);
  const raceId = await discovered(lab, 'live');
  lab.clock.nowMs = RACE.startMs + 6 * MINUTE;
  for (const { bookmakerKey, sourceRaceId } of await lab.deps.stores.races.booksOf(raceId))
    await lab.deps.feeds.get(bookmakerKey)!.fetchRace(sourceRaceId);
  const jumpedAt = new Date(RACE.startMs + 30_000).toISOString();
  expect(await lab.run('awaitResult', [{ raceId, jumpedAt, known: null }])).toMatchObject({ kind: 'result' });
});

test('a runner scratched at the gates, after the last poll, is out with its deduction when the result is written', async () => {
  lab = await openLab([{ ...RACE, scratchings: [{ number: 3, secondsBefore: 20, kind: 'barrier' }] }]);
  const raceId = await discovered(lab, 'card');
  lab.clock.nowMs = RACE.startMs - 10 * MINUTE;
  const race = { raceId, epoch: 1, turn: 1, marketShut: false };
  await expect(lab.run('pollCard', [race])).rejects.toMatchObject({ type: 'NothingYet' });
  const before = await lab.query('SELECT name, jockey FROM race_runners ORDER BY number');
  lab.clock.nowMs = RACE.startMs + 8 * MINUTE;
  await lab.run('awaitResult', [{ raceId, jumpedAt: new Date(RACE.startMs).toISOString(), known: null }]);
  const [result] = await lab.query<{ deductions: object[] }>('SELECT deductions FROM race_results');
  expect(result!.deductions).toEqual([expect.objectContaining({ number: 3, win: expect.any(Number) })]);
  expect(await lab.query('SELECT scratched FROM race_runners WHERE number = 3')).toEqual([{ scratched: true }]);
  expect(await lab.query('SELECT name, jockey FROM race_runners ORDER BY number')).toEqual(before);
});

test('a race found after its jump is settled at the prices that the books still show, without a tick or a market stamp', async () => {
  lab = await openLab([{ ...RACE, scratchings: [{ number: 3, secondsBefore: 400 }] }]);
  await lab.run('discover', [{ days: 2 }]);
  const [race] = await lab.query<{ race_id: string }>('SELECT race_id FROM races');
  const raceId = race!.race_id;
  lab.clock.nowMs = RACE.startMs + 8 * MINUTE;
  await lab.run('awaitResult', [{ raceId, jumpedAt: new Date(RACE.startMs).toISOString(), known: null }]);
  const [result] = await lab.query<{ placings: { win_price: number; place_price: number }[]; deductions: object[] }>(
    'SELECT placings, deductions FROM race_results',
  );
  expect(result!.placings.length).toBeGreaterThanOrEqual(4);
  for (const { win_price, place_price } of result!.placings)
    expect(Math.min(win_price, place_price)).toBeGreaterThan(1);
  expect(result!.deductions).toEqual([expect.objectContaining({ number: 3 })]);
  const [stored] = await lab.query(
    'SELECT market_closed_at, (SELECT count(*)::int FROM price_ticks) AS ticks FROM races',
  );
  expect(stored).toEqual({ market_closed_at: null, ticks: 0 });
  // Later reports do not replace the stored prices.
  const quotes = "SELECT win, polled_at FROM race_books WHERE bookmaker_key = 'ladbrokes_au'";
  const prices = await lab.query(quotes);
  lab.clock.nowMs += MINUTE;
  const known = { placingsKey: '1:4|2:2|3:6|4:1', protest: false };
  const jumpedAt = new Date(RACE.startMs).toISOString();
  expect(await nextDelay(lab.run('awaitResult', [{ raceId, jumpedAt, known }]))).toBe(MINUTE);
  expect(await lab.query(quotes)).toEqual(prices);
});

test('placings that could not be checked for half an hour are checked before they become final', async () => {
  lab = await openLab([{ ...RACE, protest: 'upheld', order: [4, 2, 6, 1] }]);
  const raceId = await discovered(lab, 'live');
  lab.clock.nowMs = RACE.startMs + 5 * MINUTE;
  const jumpedAt = new Date(RACE.startMs + 30_000).toISOString();
  const placingsKey = '1:4|2:2|3:6|4:1';
  const seen = await lab.run('awaitResult', [{ raceId, jumpedAt, known: null }]);
  expect(seen).toMatchObject({ facts: { placingsKey } });
  lab.clock.nowMs += 40 * MINUTE;
  const after = await lab.run('carryOut', [{ raceId, effects: [{ do: 'finalise', placingsKey }] }]);
  expect(after).toMatchObject({ status: 'interim', placingsKey: '1:2|2:4|3:6|4:1', protest: false });
});

test.each([
  ['can be reached', status(503)],
  ['gives a readable response', json({ message: 'Back soon' })],
])('placings that no book %s wait for one, at most three hours', async (_, answer) => {
  host.answer(answer);
  lab = await openLab([RACE]);
  const raceId = await discovered(lab, 'live');
  lab.clock.nowMs = RACE.startMs + 5 * MINUTE;
  const jumpedAt = new Date(RACE.startMs + 30_000).toISOString();
  expect(await lab.run('awaitResult', [{ raceId, jumpedAt, known: null }])).toMatchObject({ kind: 'result' });
  const cutOff = { ...lab.deps, feeds: createFeeds(loadConfig({ SIMULATOR_URL: host.url }).feeds, lab.deps.now) };
  const placingsKey = '1:4|2:2|3:6|4:1';
  const decision = { raceId, effects: [{ do: 'finalise', placingsKey }] } as const;
  lab.clock.nowMs += 30 * MINUTE;
  expect(await carryOut(cutOff, decision)).toMatchObject({ status: 'interim', placingsKey, protest: false });
  lab.clock.nowMs += 3 * HOUR;
  expect(await carryOut(cutOff, decision)).toBeNull();
  expect(await lab.run('readResult', [raceId])).toMatchObject({ status: 'final' });
});

test('the exchange reports no placings, so its response does not count as a check of them', async () => {
  lab = await openLab([RACE], {}, ['ladbrokes_au', 'pointsbetau', 'betfair_ex_au']);
  const raceId = await discovered(lab, 'live');
  lab.clock.nowMs = RACE.startMs + 5 * MINUTE;
  const jumpedAt = new Date(RACE.startMs + 30_000).toISOString();
  expect(await lab.run('awaitResult', [{ raceId, jumpedAt, known: null }])).toMatchObject({ kind: 'result' });
  const endpoints = { ladbrokes_au: UNREACHABLE.ladbrokes_au!, betfair_ex_au: lab.endpoints.betfair_ex_au! };
  const cutOff = { ...lab.deps, feeds: createFeeds(endpoints, lab.deps.now) };
  const placingsKey = '1:4|2:2|3:6|4:1';
  lab.clock.nowMs += 30 * MINUTE;
  const decision = { raceId, effects: [{ do: 'finalise', placingsKey }] } as const;
  expect(await carryOut(cutOff, decision)).toMatchObject({ status: 'interim', placingsKey });
});

test('a database restored from an older backup has the race as before, once it has stored its state again and the books were polled', async () => {
  lab = await openLab([RACE]);
  const raceId = await discovered(lab, 'live');
  const at = (ms: number) => new Date(ms).toISOString();
  const starts = at(RACE.startMs);
  const jumpedAt = at(RACE.startMs + 30_000);
  let race = initialRace({
    raceId,
    category: 'horse',
    country: 'AU',
    advertisedStart: starts,
    startVersion: 1,
    at: at(NOON),
  });
  const happens = async (...events: RaceEvent[]) => {
    for (const event of events) {
      const { state, effects } = step(race, event);
      race = state;
      await lab.run('carryOut', [{ raceId, effects: effects as never }]);
    }
  };
  const resulted = async () => {
    const { facts } = (await lab.run('awaitResult', [{ raceId, jumpedAt, known: null }])) as { facts: ResultFacts };
    await happens({ ...facts, type: 'resultSeen', stage: 'interim', at: at(lab.clock.nowMs) });
  };
  const stored = () =>
    lab.query(`SELECT r.phase, r.jumped_at, r.left_board_at, r.status, o.status AS result, o.placings_key, c.epoch, c.closed, c.start_version
                 FROM races r JOIN race_results o USING (race_id) JOIN race_control c USING (race_id)`);
  await happens({ type: 'tick', at: at(NOON) }, { type: 'marketClosed', at: jumpedAt });
  lab.clock.nowMs = RACE.startMs + 5 * MINUTE;
  await resulted();
  const before = await stored();
  expect(before).toMatchObject([{ phase: 'interim', result: 'interim', epoch: race.epoch }]);
  await lab.query("UPDATE races SET phase = 'card', jumped_at = NULL");
  await lab.query('DELETE FROM race_results');
  await lab.query("UPDATE race_control SET epoch = 1, tier = 'card', closed = false, start_version = NULL");
  lab.clock.nowMs += MINUTE;
  await happens({ type: 'resultLost', at: at(lab.clock.nowMs) });
  await lab.run('carryOut', [{ raceId, effects: wholeState(race) as never }]);
  expect(await lab.query('SELECT phase, jumped_at FROM races')).toEqual([{ phase: 'jumped', jumped_at: jumpedAt }]);
  await resulted();
  expect(await stored()).toEqual(before);
});

test('decisions are written in order and may be repeated; a filled field is never withdrawn', async () => {
  lab = await openLab([RACE]);
  const raceId = await discovered(lab, 'live');
  const jumpedAt = new Date(RACE.startMs + 30_000).toISOString();
  lab.clock.nowMs = RACE.startMs + 6 * MINUTE;
  await lab.run('awaitResult', [{ raceId, jumpedAt, known: null }]);
  const field = { status: 'overdue', source: 'racing_australia', note: null, expectedAt: null } as const;
  const effects = [
    { do: 'save_phase', phase: 'final', jumpedAt, leftBoardAt: jumpedAt },
    { do: 'finalise' },
    { do: 'save_field', field },
  ] as const;
  for (let i = 0; i < 2; i++) await lab.run('carryOut', [{ raceId, effects }]);
  expect(await lab.query('SELECT phase, left_board_at FROM races')).toEqual([
    { phase: 'final', left_board_at: jumpedAt },
  ]);
  expect(await lab.run('readResult', [raceId])).toMatchObject({ status: 'final', fieldStatus: 'overdue' });
  await lab.deps.stores.results.fillField(
    raceId,
    [resultRunner(4, { position: 1 })],
    'racing_australia',
    new Date(lab.clock.nowMs).toISOString(),
  );
  expect(await lab.run('collectField', [{ raceId, before: [], ifEmpty: [{ do: 'save_field', field }] }])).toEqual({
    filled: true,
    notFinal: null,
  });
  await lab.run('carryOut', [{ raceId, effects: [{ do: 'save_field', field }] }]);
  expect(await lab.run('readResult', [raceId])).toMatchObject({ fieldStatus: 'complete' });
});
