import { fieldConsensus } from '../../../../src/domain/market/field-consensus';
import { analysed, before, START_MS, type TimedQuotes } from './market';

/** The consensus price of runner 1 when these books quote these prices. */
function consensus(...books: (number | null)[][]): number | null {
  const quoted = books.map((prices, i) => ({ bookmaker: String(i), prices }));
  const probability = fieldConsensus(quoted, books[0]!.length, 'power', 2).probabilities[0]!;
  return probability && 1 / probability;
}

const PATH: TimedQuotes[] = [
  [3590, 4, 3, 2.5],
  [1200, 3.5, 3.2, 2.6],
  [450, 3.2, 3.4, 2.7],
  [60, 3, 3.5, 2.8],
];
const TWO = { tab: PATH, neds: PATH };
const at = (i: number) => PATH[i]!.slice(1);
const was = (i: number) => consensus(at(i), at(i));

test('a mark is the consensus at its time, a move is percent of it', () => {
  const { runners, window } = analysed({ books: TWO, now: 30 });
  const [first] = runners;
  const now = was(3)!;
  expect(window).toEqual({
    open: true,
    firstTickMs: before(3590),
    ticks: 24,
    booksInTicks: 2,
    marks: ['t60', 't30', 't15', 't10', 't5', 't2'],
  });
  expect(first!.consensus).toEqual({
    now,
    t60: was(0),
    t30: was(0),
    t15: was(1),
    t10: was(1),
    t5: was(2),
    t2: was(2),
    high: { price: was(0), atMs: before(3600) },
    low: { price: now, atMs: before(60) },
  });
  expect(first!.moveFromT60Pct).toBeCloseTo((now / was(0)! - 1) * 100, 10);
  expect(first!.moveFromT15Pct).toBeCloseTo((now / was(1)! - 1) * 100, 10);
  expect(first!.moveLast5mPct).toBeCloseTo((now / was(2)! - 1) * 100, 10);
  expect(first!.moveLast2mPct).toBeCloseTo((now / was(2)! - 1) * 100, 10);
  expect(first!.ticksLast5m).toBe(2);
  expect(first!.booksAt).toEqual({ now: 2, t60: 2, t15: 2 });
  expect(first!.breadth).toEqual({ quoting: 2, withHistory: 2, firming: 2, drifting: 0, unchanged: 0 });
});

test('a mark in the future is null, and so is one from before capture', () => {
  const late: TimedQuotes[] = [
    [1700, 4, 3, 2.5],
    [700, 3.5, 3.2, 2.6],
  ];
  const { runners, window } = analysed({ books: { tab: late, neds: late }, now: 650 });
  expect(window.marks).toEqual(['t15']);
  expect(runners[0]!.consensus).toMatchObject({ t60: null, t30: null, t15: was(0), t10: null, t5: null, t2: null });
  expect(runners[0]).toMatchObject({ moveFromT60Pct: null, signal: 'insufficient', booksAt: { t60: null, t15: 2 } });
  // Five minutes ago is not a mark in the contract's list, but works the same way.
  expect(runners[0]!.moveLast5mPct).not.toBeNull();
  expect(analysed({ books: { tab: late, neds: late }, now: 1600 }).runners[0]!.moveLast5mPct).toBeNull();
});

test('a price first seen within a minute of the opening stood at T-60; a minute and a second later it counts as joined', () => {
  const first = (seconds: number): TimedQuotes[] => [[seconds, 4, 3, 2.5]];
  const t60 = (seconds: number) => {
    const { runners } = analysed({ books: { tab: first(3595), neds: first(seconds) }, now: 60 });
    return runners[0]!.consensus.t60;
  };
  expect(t60(3540)).toBe(was(0));
  expect(t60(3539)).toBeNull();
});

test('a late book counts from its own first price', () => {
  const late: TimedQuotes[] = [
    [850, 4.4, 3, 2.4],
    [200, 4.6, 3, 2.4],
  ];
  const { runners, booksAtT60 } = analysed({ books: { ...TWO, unibet: late }, now: 30 });
  expect(booksAtT60).toBe(2);
  expect(runners[0]!.booksAt).toEqual({ now: 3, t60: 2, t15: 2 });
  expect(runners[0]!.consensus.t10).toBe(consensus(at(1), at(1), [4.4, 3, 2.4]));
  expect(runners[0]!.breadth).toEqual({ quoting: 3, withHistory: 3, firming: 2, drifting: 1, unchanged: 0 });
});

test('a book that withdrew its prices or fell silent no longer counts', () => {
  const gone: TimedQuotes[] = [
    [3590, 6, 2.5, 2.5],
    [1500, null, null, null],
  ];
  const { runners, ...race } = analysed({ books: { ...TWO, unibet: gone }, now: 30 });
  expect(race).toMatchObject({ booksNow: 2, booksAtT60: 3 });
  expect(runners[0]!.consensus.t30).toBe(consensus(at(0), at(0), [6, 2.5, 2.5]));
  expect(runners[0]!.consensus.t15).toBe(was(1));
  expect(runners[0]!.breadth.quoting).toBe(2);

  const silent: TimedQuotes[] = [[3590, 6, 2.5, 2.5]];
  const silenced = analysed({ books: { ...TWO, unibet: silent }, polled: { unibet: 1500 }, now: 30 });
  expect(silenced).toMatchObject({ booksNow: 2, booksAtT60: 3 });
  expect(silenced.runners[0]!.consensus.t15).toBe(was(1));
  expect(silenced.runners[0]!.breadth.quoting).toBe(2);
});

test('the consensus moves when a book leaves, and the range includes that instant', () => {
  const books = {
    tab: [[3590, 4, 3]] as TimedQuotes[],
    neds: [[3590, 5, 2.6]] as TimedQuotes[],
    unibet: [
      [3590, 5, 2.6],
      [1500, null, null],
    ] as TimedQuotes[],
  };
  const [first] = analysed({ books, now: 30 }).runners;
  const three = consensus([4, 3], [5, 2.6], [5, 2.6]);
  const two = consensus([4, 3], [5, 2.6]);
  expect(first!.consensus.high).toEqual({ price: three, atMs: before(3600) });
  expect(first!.consensus.low).toEqual({ price: two, atMs: before(1500) });
});

test('breadth uses each book’s own prices', () => {
  const once: TimedQuotes[] = [[3590, 3, 3.5, 2.8]];
  const { breadth } = analysed({ books: { ...TWO, unibet: once }, now: 30 }).runners[0]!;
  expect(breadth).toEqual({ quoting: 3, withHistory: 2, firming: 2, drifting: 0, unchanged: 0 });
});

test('a scratched runner is out at every mark, so that its scratching moves no price', () => {
  const books = {
    tab: [
      [3590, 4, 3, 2.5, 6],
      [600, 4, 3, 2.5, null],
    ] as TimedQuotes[],
    neds: [
      [3590, 4, 3, 2.5, 6],
      [610, 4, 3, 2.5, null],
    ] as TimedQuotes[],
  };
  const { runners } = analysed({ books, scratched: [4], now: 30 });
  expect(runners.map((runner) => runner.number)).toEqual([1, 2, 3]);
  for (const runner of runners) expect(runner.moveFromT60Pct).toBeCloseTo(0, 10);
});

test('a runner that no fresh book prices has nulls', () => {
  const books = { tab: [[3590, 4, 3, 2.5, null]] as TimedQuotes[], neds: [[3590, 4, 3, 2.5, null]] as TimedQuotes[] };
  expect(analysed({ books, now: 30 }).runners[3]).toMatchObject({
    number: 4,
    booksAt: { now: 0, t60: 0, t15: 0 },
    consensus: { now: null, t60: null, high: null, low: null },
    best: null,
    breadth: { quoting: 0, withHistory: 0 },
    firstMover: { status: 'undetermined', reason: 'no_move' },
    signal: 'insufficient',
  });
});

test('more than sixty minutes out only the current consensus is given', () => {
  const { window, runners, marketPct } = analysed({
    books: { tab: [[3700, 4, 3, 2.5]], neds: [[3700, 4, 3, 2.5]] },
    now: 3601,
  });
  expect(window).toEqual({ open: false, firstTickMs: null, ticks: 0, booksInTicks: 0, marks: [] });
  expect(marketPct).toMatchObject({ t15: null, t60: null });
  expect(runners[0]!.consensus).toMatchObject({ now: was(0), t60: null, high: null, low: null });
  expect(analysed({ books: TWO, now: 3600 }).window.open).toBe(true);
});

test('after the jump the moves remain, even if no book quotes', () => {
  const shut: TimedQuotes[] = [...PATH, [-30, null, null, null]];
  const { runners, window, favourite } = analysed({ books: { tab: shut, neds: shut }, now: -300 });
  expect(window.marks).toHaveLength(6);
  expect(runners[0]).toMatchObject({ consensus: { now: null, t60: was(0), t2: was(2), low: { price: was(3) } } });
  expect(runners[0]!.signal).toBe('insufficient');
  expect(favourite).toEqual({ now: null, t10: 3, changed: null });
});

test('the favourite, and whether it changed since T-10', () => {
  const swap: TimedQuotes[] = [
    [3590, 2, 3],
    [300, 3, 2],
  ];
  const same: TimedQuotes[] = [[3590, 2, 3]];
  expect(analysed({ books: { tab: swap, neds: swap }, now: 10 }).favourite).toEqual({ now: 2, t10: 1, changed: true });
  expect(analysed({ books: { tab: same, neds: same }, now: 10 }).favourite).toEqual({ now: 1, t10: 1, changed: false });
  expect(analysed({ books: { tab: same, neds: same }, now: 700 }).favourite).toEqual({
    now: 1,
    t10: null,
    changed: null,
  });
});

test('market percentage at the best prices, now and then', () => {
  const books = {
    tab: [
      [3590, 2, 2],
      [1000, 2.5, 2],
    ] as TimedQuotes[],
    neds: [[3590, 1.9, 2.1]] as TimedQuotes[],
  };
  expect(analysed({ books, now: 30 }).marketPct).toEqual({
    now: 100 / 2.5 + 100 / 2.1,
    t15: 100 / 2.5 + 100 / 2.1,
    t60: 100 / 2 + 100 / 2.1,
  });
});

test('a placeholder is in no consensus, at the marks or now', () => {
  const books = {
    tab: PATH,
    neds: PATH,
    unibet: PATH,
    sportsbet: PATH,
    palmerbet: [[3590, 101, 3, 2.5]] as TimedQuotes[],
  };
  const { runners, booksAtT60 } = analysed({ books, now: 30 });
  expect(booksAtT60).toBe(4);
  expect(runners[0]!.consensus.t60).toBe(was(0));
  expect(runners[0]!.best).toMatchObject({ price: 3 });
  expect(runners[0]!.breadth.quoting).toBe(5);
});

test('marks are relative to the current advertised start', () => {
  // Captured from 70 minutes before the start, which was moved ten minutes later.
  const early: TimedQuotes[] = [
    [4195, 5, 3, 2.2],
    [3700, 4, 3, 2.5],
    [1200, 3.5, 3.2, 2.6],
  ];
  const { runners } = analysed({ books: { tab: early, neds: early }, now: 30 });
  expect(runners[0]!.consensus.t60).toBe(was(0));
  expect(runners[0]!.consensus.high).toEqual({ price: was(0), atMs: START_MS - 3_600_000 });
  expect(runners[0]!.breadth).toMatchObject({ firming: 2 });
});
