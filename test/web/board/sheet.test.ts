// One race for the pages, by the same rules as the API's responses, cell by cell.

import { visibleRaceOf } from '../../../src/api/pages/shown/visible-race';
import type { LiveRace } from '../../../src/store/reads/races/find-races';
import type { Marks } from '../../../src/web/board/price-paths';
import { raceMarketOf } from '../../../src/web/board/race-market';
import { raceSheetOf } from '../../../src/web/board/sheet';
import type { CardChanges } from '../../../src/web/board/source';
import { book, NOW, race, runner, START } from './live-race';

const NO_CHANGES: CardChanges = { track: null, deductions: [] };

const sheet = (over: Partial<LiveRace>, marks: Marks = () => null, changes: CardChanges = NO_CHANGES) => {
  const visible = visibleRaceOf(race(over), NOW);
  return raceSheetOf(visible, { marks, changes, market: raceMarketOf(visible, [], NOW) }, NOW);
};

test('every book at the best price is best, the others are not; a book that does not quote is unknown', () => {
  const { runners, books } = sheet({
    books: [book('ladbrokes_au', [3, 2]), book('neds', [3, null]), book('tab', [2.8, 1.9])],
  });
  expect(books.map(({ title }) => title)).toEqual(['TAB', 'Ladbrokes', 'Neds']);
  expect(runners[0]!.win.best).toMatchObject({ price: 3, books: ['Ladbrokes', 'Neds'], shared: false, stale: false });
  expect(runners[0]!.win.cells.map((cell) => cell?.best)).toEqual([false, true, true]);
  expect(runners[1]!.win.cells[2]).toBeNull();
});

test('among the books at the best price one with a fresh response is named first', () => {
  const best = (tabAge: number) => {
    const books = [book('tab', [3, 2], tabAge), book('ladbrokes_au', [2.8, 2], 5), book('neds', [3, 2], 5)];
    return sheet({ books }).runners[0]!.win.best!.books;
  };
  expect(best(664)).toEqual(['Neds', 'TAB']);
  // A few seconds decide nothing.
  expect(best(20)).toEqual(['TAB', 'Neds']);
});

test('a placeholder quote is suspect and never best (A 2.4 rule 2)', () => {
  const books = ['tab', 'ladbrokes_au', 'neds'].map((key) => book(key, [9, 2]));
  const { runners, bestMarketPct } = sheet({ books: [...books, book('pointsbetau', [101, 2])] });
  expect(runners[0]!.win.best?.price).toBe(9);
  expect(runners[0]!.win.cells.at(-1)).toMatchObject({ price: 101, best: false, suspectAgainst: 9 });
  expect(bestMarketPct).toBeCloseTo(100 / 9 + 50);
});

test('a scratched runner keeps its row and has no price, and a book is complete without it', () => {
  const out = runner(1, { scratched: true, scratchedAt: '2026-11-21T01:30:00.000Z', late: true });
  const { runners, books } = sheet({ runners: [out, runner(2)], books: [book('tab', [4, 2])] });
  expect(runners[0]).toMatchObject({ scratching: { atMs: Date.parse('2026-11-21T01:30:00Z'), late: true } });
  expect(runners[0]!.win).toEqual({ best: null, cells: [null] });
  expect(books[0]!.marketPct).toBe(50);
});

test('a scratching has its deductions, if a book publishes them', () => {
  const runners = [1, 2, 3].map((number) => runner(number, { scratched: number < 3 }));
  const rows = sheet({ runners }, undefined, {
    track: null,
    deductions: [{ number: 2, win: 0.08, place: null }],
  }).runners;
  expect(rows.map(({ scratching }) => scratching && [scratching.winDeduction, scratching.placeDeduction])).toEqual([
    [null, null],
    [0.08, null],
    null,
  ]);
});

test('the track has the time of its last change, and its earlier condition if that differs', () => {
  const at = '2026-11-21T01:12:00.000Z';
  const atMs = Date.parse(at);
  const track = (over: Partial<LiveRace>, previous?: string) =>
    sheet({ track_condition: 'Good (4)', ...over }, undefined, {
      ...NO_CHANGES,
      track: previous ? { atMs, previous } : null,
    }).trackChange;
  expect(track({})).toBeNull();
  expect(track({}, 'Soft5')).toEqual({ atMs, from: 'Soft5' });
  expect(track({}, 'Good4')).toEqual({ atMs, from: null });
  expect(track({ track_condition_changed_at: at })).toEqual({ atMs, from: null });
});

test('a book that leaves out a runner has no market percentage', () => {
  const { books } = sheet({ books: [book('tab', [4, 2]), book('neds', [4, null])] });
  expect(books.map(({ marketPct }) => marketPct)).toEqual([75, null]);
});

test("a price moves against the same book's price at the mark", () => {
  const fromMs = NOW - 300_000;
  const offered: Record<string, number[]> = { tab: [5, 2], neds: [3.5] };
  const marks: Marks = (bookmaker, number) => {
    const price = offered[bookmaker]?.[number - 1];
    return price === undefined ? null : { price, atMs: fromMs };
  };
  const { runners } = sheet({ books: [book('tab', [4, 2]), book('neds', [4, 2])] }, marks);
  expect(runners[0]!.win.cells.map((cell) => cell?.move)).toEqual([
    { direction: 'firming', from: 5, fromMs },
    { direction: 'drifting', from: 3.5, fromMs },
  ]);
  expect(runners[1]!.win.cells.map((cell) => cell?.move)).toEqual([null, null]);
});

test('a book is stale past two minutes inside three hours of the jump', () => {
  const { books } = sheet({ books: [book('tab', [4, 2], 120), book('neds', [4, 2], 121)] });
  expect(books.map(({ stale }) => stale)).toEqual([false, true]);
});

test('two runners at the shortest price leave no favourite', () => {
  expect(sheet({ books: [book('tab', [2, 2])] }).runners.map((one) => one.favourite)).toEqual([false, false]);
  expect(sheet({ books: [book('tab', [2, 2.1])] }).runners.map((one) => one.favourite)).toEqual([true, false]);
});

test('a market that only an exchange reports as closed does not count (A 2.2)', () => {
  const closed = { market_status: 'CLOSED', startMs: NOW };
  expect(sheet({ ...closed, market_state_source: 'pointsbetau' }).state).toBe('jumped');
  expect(sheet({ ...closed, market_state_source: 'betfair_ex_au' }).state).toBe('open');
});

test('a market closed before the advertised start is not the jump, because it can reopen', () => {
  expect(sheet({ market_status: 'CLOSED' }).state).toBe('suspended');
  expect(sheet({ market_status: 'SUSPENDED' }).state).toBe('suspended');
  expect(sheet({ market_status: 'OPEN', market_closed_at: START }).state).toBe('open');
  expect(sheet({ market_status: 'OPEN', jumped_at: START }).state).toBe('jumped');
});

test('a best price that every quoting book has is shared', () => {
  const { runners } = sheet({ books: [book('tab', [3, 2]), book('neds', [3, null])] });
  expect(runners.map(({ win }) => win.best?.shared)).toEqual([true, false]);
});

test('a race off the board shows no prices (A 3)', () => {
  const { onBoard, books, runners, bestMarketPct } = sheet({
    books: [book('tab', [4, 2])],
    jumped_at: START,
    left_board_at: START,
  });
  expect({ onBoard, books, bestMarketPct, cells: runners[0]!.win }).toEqual({
    onBoard: false,
    books: [],
    bestMarketPct: null,
    cells: { best: null, cells: [] },
  });
});

test('the best price is compared with the consensus, which a stale book with a better price does not join', () => {
  const books = [book('tab', [2.1, 2]), book('neds', [2, 2])];
  const { runners, consensusBooks } = sheet({ books });
  const { price, bestPct } = runners[0]!.consensus!;
  expect(bestPct).toBeCloseTo((2.1 / price - 1) * 100);
  expect(consensusBooks).toEqual({ included: 2, needed: 2 });
  const withStale = sheet({ books: [...books, book('sportsbet', [9, 2], 200)] }).runners[0]!;
  expect(withStale.win.best!.price).toBe(9);
  expect(withStale.consensus).toEqual({ price, bestPct: null });
});

test('too few books on the whole field make no consensus', () => {
  const { runners, consensusBooks } = sheet({ books: [book('tab', [2, 2]), book('neds', [2, null])] });
  expect(runners.map(({ consensus }) => consensus)).toEqual([null, null]);
  expect(consensusBooks).toEqual({ included: 1, needed: 2 });
});
