// What the board receives of a stored race: only what customers may see.
import { createBoardSource } from '../../../src/api/pages/board-source';
import { outcomeOf, visibleRaceOf } from '../../../src/api/pages/shown/visible-race';
import type { LiveReads, OutcomeRow } from '../../../src/store/reads/live-board';
import type { Reads } from '../../../src/store/reads/reads';
import { book, NOW, race, runner, START } from '../../web/board/live-race';

const QUOTES = { books: [book('tab', [4, 2]), book('neds', [4.2, null])] };
const LEFT = { ...QUOTES, jumped_at: START, left_board_at: START };

test('books, best lines and market percentage of a race on the board', () => {
  const { onBoard, books, compared, runners, bestMarketPct } = visibleRaceOf(race(QUOTES), NOW);
  expect(onBoard).toBe(true);
  expect(books.map(({ bookmaker }) => bookmaker)).toEqual(['tab', 'neds']);
  expect(compared.map(({ bookmaker }) => bookmaker)).toEqual(['tab', 'neds']);
  expect(runners.map(({ win }) => win.best?.price)).toEqual([4.2, 2]);
  expect(bestMarketPct).toBeCloseTo(100 / 4.2 + 50);
});

test('a starter without a win price leaves no market percentage; an emergency or a vacant box does not need one', () => {
  const pct = (over: Parameters<typeof runner>[1]) =>
    visibleRaceOf(race({ ...QUOTES, runners: [runner(1), runner(2), runner(3, over)] }), NOW).bestMarketPct;
  expect(pct({})).toBeNull();
  expect(pct({ emergency: true })).toBeCloseTo(100 / 4.2 + 50);
  expect(pct({ name: 'Vacant Box' })).toBeCloseTo(100 / 4.2 + 50);
});

test('a race off the board has no prices left to show or to compare (A 3)', () => {
  const { onBoard, books, compared, runners, bestMarketPct } = visibleRaceOf(race(LEFT), NOW);
  expect({ onBoard, books, compared, bestMarketPct }).toEqual({
    onBoard: false,
    books: [],
    compared: [],
    bestMarketPct: null,
  });
  expect(runners.map(({ win, place }) => [win.best, place.best])).toEqual([
    [null, null],
    [null, null],
  ]);
});

test('an exchange is not part of the comparison (A 1), and its market state is not shown (A 2.2)', () => {
  const exchange = { books: [book('tab', [4, 2]), book('betfair_ex_au', [9, 9])] };
  const state = { market_status: 'CLOSED', market_state_source: 'betfair_ex_au' };
  const { compared, marketStatus } = visibleRaceOf(race({ ...exchange, ...state }), NOW);
  expect(compared.map(({ bookmaker }) => bookmaker)).toEqual(['tab']);
  expect(marketStatus).toBeNull();
  expect(visibleRaceOf(race({ ...state, market_state_source: 'pointsbetau' }), NOW).marketStatus).toBe('CLOSED');
});

test('captured prices are read for comparable books only, and not after the race has left the board (A 3)', async () => {
  const queries: { bookmakers: readonly string[] }[] = [];
  const reads = {
    archive: {} as Reads['archive'],
    meetings: {} as Reads['meetings'],
    board: async () => [],
    capturedPrices: async (query: { bookmakers: readonly string[] }) => {
      queries.push(query);
      return [];
    },
  };
  const source = createBoardSource({ reads, liveReads: {} as LiveReads });
  expect(await source.captured(visibleRaceOf(race(LEFT), NOW))).toEqual([]);
  expect(queries).toEqual([]);
  await source.captured(visibleRaceOf(race(QUOTES), NOW));
  expect(queries).toHaveLength(1);
  expect(queries[0]!.bookmakers).toContain('tab');
  expect(queries[0]!.bookmakers).not.toContain('betfair_ex_au');
});

test('a result has no place price beyond the places paid, like the API’s', () => {
  const { race_id, venue, race_number, category, country, start_time } = race();
  const placings = [1, 2, 3, 4].map((number) => ({
    position: number,
    number,
    name: `Runner ${number}`,
    win_price: 2 + number,
    place_price: 1 + number,
  }));
  const row = {
    race_id,
    venue,
    race_number,
    category,
    country,
    start_time,
    status: 'final' as const,
    status_note: null,
    protest: false,
    placings,
    runners: null,
    places_paid: null,
    deductions: [],
    dividends: null,
    resulted_at: null,
  };
  const card = (runners: number) => Array.from({ length: runners }, (_, i) => runner(i + 1));
  const places = (over: Partial<OutcomeRow>) =>
    outcomeOf({ ...row, card: null, ...over }).placings.map(({ place }) => place);
  expect(places({ card: card(7) })).toEqual([2, 3, null, null]);
  expect(places({ card: card(8) })).toEqual([2, 3, 4, null]);
  expect(places({ places_paid: 4 })).toEqual([2, 3, 4, 5]);
});
