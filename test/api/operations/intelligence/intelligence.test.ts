// A 2.6, A 4.5: what is particular to intelligence, over ticks that the real store captured. The arithmetic has its own
// tests (test/domain/market/intelligence).
import { createRaceStore } from '../../../../src/store/card/races';
import { expectConforms } from '../../../support/api/conforms';
import { type Served, serve } from '../../../support/api/served';
import { feedRunner } from '../../../support/races/builders';
import { polledRace, type TimedQuotes } from '../../../support/races/polled-race';

const START = '2026-11-21T03:00:00.000Z';
const startMs = Date.parse(START);
const before = (seconds: number): string => new Date(startMs - seconds * 1000).toISOString();

let served: Served;
let free: string;
let operator: string;
beforeAll(async () => {
  served = await serve();
  free = await served.addKey();
  operator = await served.addKey({ role: 'internal', plan: 'enterprise' });
});
afterAll(() => served.stop());

let races = 0;
type Books = Readonly<Record<string, readonly TimedQuotes[]>>;

/**
 * A separate race, `now` seconds before its jump; every book that still quotes is polled once more, a second earlier,
 * at the same prices.
 */
async function race(books: Books, now: number, over: object = {}) {
  served.api.now = startMs - now * 1000;
  const polled = Object.entries(books).map(([key, quotes]): [string, readonly TimedQuotes[]] => {
    const [last, ...wins] = quotes.at(-1)!;
    return [key, last <= now + 1 ? quotes : [...quotes, [now + 1, ...wins]]];
  });
  const listed = { venue: `Track ${++races}`, startTime: START, ...over };
  return polledRace(served.db.pool, listed, Object.fromEntries(polled));
}

const get = (query: string, key = free) => served.api.get(`/v1/racing/intelligence?${query}`, key);
async function read(raceId: string, more = '', key = free) {
  const answer = await get(`race_id=${raceId}${more}`, key);
  expect(answer.status).toBe(200);
  expectConforms('intelligence', answer.body);
  return answer.body;
}

/** Runner 1 goes from 10 to `to` this many seconds before the jump; the others do not move. */
const moves = (seconds: number, to: number): TimedQuotes[] => [
  [3590, 10, 2, 2.2],
  [seconds, to, 2, 2.2],
];
const steady: TimedQuotes[] = [[3590, 10, 2, 2.2]];

test('marks, moves, breadth and the first mover', async () => {
  const books = { tab: moves(1000, 8), neds: moves(940, 8), unibet: moves(700, 8), sportsbet: steady };
  const { raceId } = await race(books, 30);
  const body = await read(raceId);
  const consensus = (await served.api.get(`/v1/racing/consensus?race_id=${raceId}`, free)).body;
  const [first, second] = body.runners;
  expect(first.consensus.now).toBe(consensus.runners[0].consensus_price);
  expect(body.race).toEqual(consensus.race);
  expect(body.window).toEqual({
    open: true,
    first_tick_at: before(3590),
    ticks_total: 15,
    books_in_ticks: 4,
    marks_available: ['t60', 't30', 't15', 't10', 't5', 't2'],
  });
  expect(first.consensus.t60).toBe(first.consensus.t30);
  expect(first.consensus.high).toEqual({ price: first.consensus.t60, at: before(3600) });
  expect(first.consensus.low).toEqual({ price: first.consensus.now, at: before(700) });
  expect(first.move_from_t60_pct).toBeCloseTo((first.consensus.now / first.consensus.t60 - 1) * 100, 0);
  expect(first).toMatchObject({
    runner_key: 'runner1',
    books_at: { now: 4, t60: 4, t15: 4 },
    move_last_2m_pct: 0,
    ticks_last_5m: 0,
    best: { price: 10, bookmaker: 'sportsbet' },
    breadth: { quoting: 4, with_history: 3, firming: 3, drifting: 0, unchanged: 0 },
    first_mover: {
      status: 'attributed',
      bookmaker: 'tab',
      at: before(1000),
      lead_seconds: 60,
      median_follower_lag_seconds: 180,
      followers: ['neds', 'unibet'],
      reason: null,
    },
    signal: 'strong_firm',
  });
  expect(second.first_mover).toMatchObject({ status: 'undetermined', bookmaker: null, reason: 'too_few_books' });
  expect(body.market).toMatchObject({
    favourite: { now: 'runner2', at_t10: 'runner2', changed_last_10m: false },
    books_in_consensus_now: 4,
    books_at_t60: 4,
  });
  expect(body.note).toBeNull();
});

test.each([
  [29, 'undetermined', 'inside_floor'],
  [30, 'attributed', null],
  [31, 'attributed', null],
])('a lead of %d seconds is %s', async (lead, status, reason) => {
  const books = { tab: moves(1000, 8), neds: moves(1000 - lead, 8), unibet: moves(700, 8) };
  const { runners } = await read((await race(books, 30)).raceId);
  expect(runners[0].first_mover).toMatchObject({ status, reason });
});

test.each([
  ['strong_firm', 8, 3],
  ['firm', 8, 2],
  ['firm', 9, 3],
  ['steady', 9.8, 3],
  ['drift', 11.5, 3],
  ['strong_drift', 13, 3],
])('%s: runner 1 to %d at %d of 4 books', async (signal, to, count) => {
  const keys = ['tab', 'neds', 'unibet', 'sportsbet'];
  // A book whose price ends where it began has history only if it moved in between.
  const back: TimedQuotes[] = [...moves(2000, 10.5), [1900, 10, 2, 2.2]];
  const books = Object.fromEntries(keys.map((key, i) => [key, i < count ? moves(1000 - i * 40, to) : back]));
  const { runners } = await read((await race(books, 30)).raceId);
  expect(runners[0].signal).toBe(signal);
});

test('insufficient: a large move of two books', async () => {
  const { runners } = await read((await race({ tab: moves(1000, 7), neds: moves(900, 7) }, 30)).raceId);
  expect(runners[0]).toMatchObject({ signal: 'insufficient', breadth: { with_history: 2 } });
});

test('a book that joins late counts from its first price; one that withdrew its prices no longer counts', async () => {
  const late: TimedQuotes[] = [
    [850, 12, 2, 2.2],
    [500, 11, 2, 2.2],
  ];
  const gone: TimedQuotes[] = [
    [3590, 20, 1.9, 2.1],
    [1200, null, null, null],
  ];
  const { raceId } = await race({ tab: steady, neds: [[2000, 10, 2, 2.2]], unibet: late, sportsbet: gone }, 30);
  const { runners, market, window } = await read(raceId);
  expect(market).toMatchObject({ books_in_consensus_now: 3, books_at_t60: 2 });
  expect(runners[0]).toMatchObject({ books_at: { now: 3, t60: 2, t15: 2 }, breadth: { quoting: 3, firming: 1 } });
  expect(runners[0].consensus.t15).toBeLessThan(runners[0].consensus.t60);
  expect(window.books_in_ticks).toBe(4);
});

test('a scratching in the window changes every mark and is not a move of any runner', async () => {
  const quotes: TimedQuotes[] = [[3590, 4, 3, 2.6, 9]];
  const { raceId, poll } = await race({ tab: quotes, neds: quotes }, 1600);
  const scratching = { at: before(1500), late: true, winDeduction: null, placeDeduction: null };
  const runners = [4, 3, 2.6].map((win, i) => feedRunner(i + 1, { win }));
  for (const book of ['tab', 'neds']) await poll(book, [35], { runners: [...runners, feedRunner(4, { scratching })] });
  served.api.now = startMs - 30_000;
  const body = await read(raceId);
  expect(body.scratchings).toMatchObject([{ number: 4, scratched_at: before(1500) }]);
  expect(body.runners.map((runner: { number: number }) => runner.number)).toEqual([1, 2, 3]);
  for (const runner of body.runners) expect(runner.move_from_t60_pct).toBe(0);
  expect(body.window.ticks_total).toBe(6);
});

test('a race that has just entered the window, and one that has not', async () => {
  const books = { tab: [[3590, 4, 1.5]] as TimedQuotes[], neds: [[3595, 4, 1.5]] as TimedQuotes[] };
  const just = await read((await race(books, 3580)).raceId);
  expect(just.window).toMatchObject({ open: true, marks_available: ['t60'], ticks_total: 4 });
  expect(just.runners[0]).toMatchObject({ move_from_t60_pct: 0, move_from_t15_pct: null, signal: 'steady' });

  const out = await read((await race({ tab: [[3700, 4, 1.5]], neds: [[3700, 4, 1.5]] }, 3601)).raceId);
  expect(out.window).toEqual({
    open: false,
    first_tick_at: null,
    ticks_total: 0,
    books_in_ticks: 0,
    marks_available: [],
  });
  expect(out.runners[0].consensus).toMatchObject({ t60: null, t30: null, high: null, low: null });
  expect(out.runners[0].consensus.now).not.toBeNull();
  expect(out.market.market_pct).toMatchObject({ t60: null, t15: null });
});

test('marks follow a start that moved', async () => {
  const quotes: TimedQuotes[] = [
    [3590, 4, 1.5],
    [2700, 5, 1.3],
  ];
  const { raceId, poll } = await race({ ladbrokes_au: quotes, tab: quotes }, 2600);
  // Twenty minutes later: what was the mark of 40 minutes is now that of 60.
  await poll('ladbrokes_au', [2590, 5, 1.3], { startTime: before(-1200) });
  const { runners, race: head } = await read(raceId);
  expect(head).toMatchObject({ start_time: before(-1200), secs_to_jump: 3800 });
  expect(runners[0].consensus.t60).toBeNull();
  served.api.now = startMs - 2000 * 1000;
  for (const book of ['ladbrokes_au', 'tab']) await poll(book, [2001, 5, 1.3]);
  const later = await read(raceId);
  expect(later.window).toMatchObject({ open: true, first_tick_at: before(3590), marks_available: ['t60'] });
  expect(later.runners[0]).toMatchObject({ move_from_t60_pct: 0, breadth: { with_history: 2, unchanged: 2 } });
});

test('after the jump it is served with a note, and its marks stay those of the advertised start', async () => {
  const shut: TimedQuotes = [-60, null, null, null];
  const { raceId } = await race({ tab: [...moves(1000, 8), shut], neds: [...moves(940, 8), shut] }, -61);
  await createRaceStore(served.db.pool).savePhase(raceId, 'jumped', { jumpedAt: before(-50) }, before(-50));
  const body = await read(raceId);
  expect(body.race).toMatchObject({ status: 'jumped', secs_to_jump: -61 });
  expect(body.note).toMatch(/has jumped/);
  expect(body.window.marks_available).toHaveLength(6);
  expect(body.runners[0]).toMatchObject({ consensus: { now: null }, signal: 'insufficient', best: null });
  expect(body.runners[0].consensus.t2).toBeLessThan(body.runners[0].consensus.t60);

  const left = { jumpedAt: before(-50), leftBoardAt: before(-650) };
  await createRaceStore(served.db.pool).savePhase(raceId, 'jumped', left, before(-650));
  const gone = await get(`race_id=${raceId}`);
  expect([gone.status, gone.body.code]).toEqual([404, 'race_not_on_board']);
});

test('two races of one name are a 409 with both, an unknown race a 404, half a name a 422', async () => {
  const name = { venue: 'Twin Track', raceNumber: 5 };
  const ids = [
    await race({ tab: steady }, 30, name),
    await race({ tab: steady }, 30, { ...name, category: 'harness' }),
  ];
  const both = await get('venue=twin%20track&meeting_date=2026-11-21&race_number=5');
  expect([both.status, both.body.code]).toEqual([409, 'race_ambiguous']);
  expect(both.body.candidates.map((one: { race_id: string }) => one.race_id).sort()).toEqual(
    ids.map((one) => one.raceId).sort(),
  );
  expect((await get('venue=Nowhere&meeting_date=2026-11-21&race_number=5')).status).toBe(404);
  expect((await get('venue=Nowhere')).status).toBe(422);
  expect((await get(`race_id=${ids[0]!.raceId}&min_books=21`)).status).toBe(422);
});

test('min_books is echoed and applies at every mark', async () => {
  const { raceId } = await race({ tab: steady, neds: steady, unibet: [[850, 10, 2, 2.2]] }, 30);
  const body = await read(raceId, '&min_books=3');
  expect(body.method.min_books).toBe(3);
  expect(body.window.marks_available).toEqual(['t10', 't5', 't2']);
  expect(body.runners[0].consensus).toMatchObject({ t60: null, t15: null });
  expect(body.runners[0].books_at).toEqual({ now: 3, t60: 2, t15: 2 });
});

test('an exchange’s captured prices are for operators only', async () => {
  const { raceId } = await race({ tab: steady, neds: steady, betfair_ex_au: moves(1000, 30), betgold: steady }, 30);
  const customer = await read(raceId);
  expect(customer.window).toMatchObject({ ticks_total: 9, books_in_ticks: 3 });
  expect(customer.method.attribution_excluded_books).toEqual(['betgold']);
  expect(JSON.stringify(customer)).not.toMatch(/betfair/);
  expect((await read(raceId, '', operator)).window).toMatchObject({ ticks_total: 13, books_in_ticks: 4 });
});

test('the tag changes with the market and not with its age', async () => {
  const { raceId, poll } = await race({ tab: steady, neds: steady }, 30);
  const tag = async () => (await get(`race_id=${raceId}`)).headers.get('etag');
  const first = await tag();
  served.api.now += 2000;
  expect(await tag()).toBe(first);
  await poll('tab', [25, 9.5, 2, 2.2]);
  expect(await tag()).not.toBe(first);
});
