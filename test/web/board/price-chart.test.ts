// One race's captured prices as lines to draw, and what happened to a runner in the last hour.

import { visibleRaceOf } from '../../../src/api/pages/shown/visible-race';
import type { CapturedPrices } from '../../../src/domain/market/intelligence/captured';
import type { LiveRace } from '../../../src/store/reads/races/find-races';
import { priceChartOf } from '../../../src/web/board/price-chart';
import { bestPath, marksAt, settled, spanOf } from '../../../src/web/board/price-paths';
import { raceMarketOf } from '../../../src/web/board/race-market';
import { book, NOW, race, runner, START } from './live-race';

const MINUTE = 60_000;
const OPENS = Date.parse(START) - 60 * MINUTE;

type Ticks = readonly (readonly [minute: number, price: number])[];

/** Ticks by runner, in minutes after the window opens. */
const captured = (
  bookmaker: string,
  runners: Readonly<Record<number, Ticks>>,
  withdrawnAtMs: number | null = null,
): CapturedPrices => ({
  bookmaker,
  runners: Object.entries(runners).map(([number, ticks]) => ({
    number: Number(number),
    atMs: ticks.map(([minute]) => OPENS + minute * MINUTE),
    prices: ticks.map(([, price]) => price),
    withdrawnAtMs,
  })),
});

const visible = (over: Partial<LiveRace>) => visibleRaceOf(race(over), NOW);

const path = (...points: readonly (readonly [minute: number, price: number | null])[]) => ({
  atMs: points.map(([minute]) => OPENS + minute * MINUTE),
  prices: points.map(([, price]) => price),
});

test('the best line is the highest current price, and moves only when that does', () => {
  const books = [
    { bookmaker: 'tab', path: path([1, 4], [10, 5], [20, 3]) },
    { bookmaker: 'neds', path: path([1, 4.2], [15, 4.5], [30, null]) },
    { bookmaker: 'sportsbet', path: path([2, 4.1], [12, 4.4]) },
  ];
  expect(bestPath(books)).toEqual(path([1, 4.2], [10, 5], [20, 4.5], [30, 4.4]));
});

test('it ends where no book quotes, and resumes', () => {
  expect(bestPath([{ bookmaker: 'tab', path: path([1, 4], [5, null], [9, 3]) }])).toEqual(
    path([1, 4], [5, null], [9, 3]),
  );
});

test('a placeholder is never the best line (A 2.4 rule 2)', () => {
  const offered = ['tab', 'neds', 'sportsbet'].map((bookmaker) => ({ bookmaker, path: path([1, 4]) }));
  const placeholder = { bookmaker: 'unibet', path: path([2, 51]) };
  expect(bestPath([...offered, placeholder])).toEqual(path([1, 4]));
});

test('a span has its first, highest and lowest price, each with the first time it was reached', () => {
  const at = (minute: number, price: number) => ({ price, atMs: OPENS + minute * MINUTE });
  expect(spanOf(path([1, 4], [2.1, 5], [3, 4.5], [4, 5], [5, 3], [6, null], [7, 3]))).toEqual({
    first: at(1, 4),
    high: at(2.1, 5),
    low: at(5, 3),
  });
  expect(spanOf(path())).toBeNull();
});

test('books polled one after another open together: a price that lasted less than the first minute is not an opening', () => {
  const at = (minute: number, price: number) => ({ price, atMs: OPENS + minute * MINUTE });
  const line = settled(path([10, 3], [10.5, 4], [10.9, 4.2], [30, 4]));
  // The chart draws the same line that the text describes.
  expect(line).toEqual(path([10.9, 4.2], [30, 4]));
  expect(spanOf(line)).toEqual({
    first: at(10.9, 4.2),
    high: at(10.9, 4.2),
    low: at(30, 4),
  });
  expect(spanOf(settled(path([10, 3], [10.5, 4])))!.first).toEqual(at(10.5, 4));
});

test('a mark is the price at that instant, or the first captured one when capture began later', () => {
  const ticks = [
    captured('tab', {
      1: [
        [10, 5],
        [20, 4],
        [30, 3],
      ],
    }),
    captured('neds', { 1: [[40, 6]] }),
  ];
  const mark = marksAt(ticks, OPENS + 25 * MINUTE);
  expect(mark('tab', 1)).toEqual({ price: 4, atMs: OPENS + 20 * MINUTE });
  expect(mark('neds', 1)).toEqual({ price: 6, atMs: OPENS + 40 * MINUTE });
  expect([mark('tab', 2), mark('unibet', 1)]).toEqual([null, null]);
});

describe('the chart of a race', () => {
  const quotes = {
    books: [book('tab', [2, 2]), book('neds', [2, 2])],
    runners: [runner(1), runner(2), runner(3, { scratched: true })],
  };
  const ticks = [
    captured('neds', {
      1: [
        [0.5, 2.2],
        [20, 2],
      ],
      2: [
        [0.5, 1.8],
        [20, 2],
      ],
      3: [[0.5, 9]],
    }),
    captured(
      'tab',
      {
        1: [
          [10, 2.4],
          [30, 2],
        ],
        2: [[10, 1.8]],
      },
      OPENS + 40 * MINUTE,
    ),
  ];
  const chart = priceChartOf(visible(quotes), ticks, NOW);

  test('has the runners that are not scratched, and books in the order of the table', () => {
    expect(chart.books).toEqual(['TAB', 'Neds']);
    expect(chart.runners.map(({ number }) => number)).toEqual([1, 2]);
  });

  test('a price captured just after the window opens counts from its opening; a line ends where its price was withdrawn', () => {
    expect(chart.runners[0]!.books).toEqual([path([10, 2.4], [30, 2], [40, null]), path([0, 2.2], [20, 2])]);
    expect(chart.runners[0]!.best).toEqual(path([0, 2.2], [10, 2.4], [30, 2]));
  });

  test('the consensus begins with the second book that prices the field, ends with it, and sums to one', () => {
    const [first, second] = chart.runners.map(({ consensus }) => consensus!);
    expect(first!.atMs).toEqual([10, 20, 30, 40].map((minute) => OPENS + minute * MINUTE));
    expect(first!.prices.at(-1)).toBeNull();
    expect(1 / first!.prices[0]! + 1 / second!.prices[0]!).toBeCloseTo(1, 9);
  });

  test('a book without captured prices of a runner has no line', () => {
    const only = [captured('neds', { 2: [[1, 2]] })];
    expect(
      priceChartOf(visible(quotes), only, NOW).runners.map(({ books }) => books.length && books[0] !== null),
    ).toEqual([false, true]);
  });
});

describe('the last hour in figures', () => {
  const books = ['tab', 'ladbrokes_au', 'unibet'];
  const firmed = { books: books.map((key) => book(key, [4, 1.4])) };
  const move = (key: string, minute: number) =>
    captured(key, {
      1: [
        [0, 6],
        [minute, 4],
      ],
      2: [
        [0, 1.25],
        [minute, 1.4],
      ],
    });
  const hourOf = (ticks: readonly CapturedPrices[]) => raceMarketOf(visible(firmed), ticks, NOW).runners.get(1)!.hour;

  test('signal, breadth and the book that moved first, by title', () => {
    const hour = hourOf([move('tab', 20), move('ladbrokes_au', 19), move('unibet', 21)])!;
    expect(hour).toMatchObject({ signal: 'strong_firm', firming: 3, drifting: 0, withHistory: 3 });
    expect(hour.from! > 5 && hour.movePct! < -15).toBe(true);
    expect(hour.firstMover).toEqual({
      status: 'attributed',
      book: 'Ladbrokes',
      atMs: OPENS + 19 * MINUTE,
      leadSeconds: 60,
      next: 'TAB',
    });
  });

  test('when two books move together, neither counts as first', () => {
    const hour = hourOf([move('tab', 20), move('ladbrokes_au', 20.2), move('unibet', 30)])!;
    expect(hour.firstMover).toEqual({ status: 'undetermined', reason: 'inside_floor' });
  });

  test('without captured prices there is no hour, but still a consensus', () => {
    expect(hourOf([])).toBeNull();
    expect(raceMarketOf(visible(firmed), [], NOW).runners.get(1)!.consensus).not.toBeNull();
  });
});
