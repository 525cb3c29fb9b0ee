// The course of the best price: what the columns say is what the captures prove, whenever the page is read. No mark is
// ahead of the clock, none has a price that no book was seen to offer then, and the archive of the race repeats them.
import fc from 'fast-check';
import { capturedToJump } from '../../../src/api/pages/shown/captured-to-jump';
import { bestAtMarks } from '../../../src/domain/clv/best-at-marks';
import { type CapturedPrices, linesOf } from '../../../src/domain/market/intelligence/captured';
import { FLUCTUATION_MARKS } from '../../../src/web/board/course/course';
import { fluctuationsOf } from '../../../src/web/board/course/fluctuations';
import { runs } from '../../support/property';

const START = Date.parse('2026-11-21T02:00:00Z');
const MINUTE = 60_000;
const MINUTES = { t60: 60, t30: 30, t10: 10, t5: 5 } as const;
/** Polled to the jump: none of them from a horizon of its own. */
const KEYS = ['ladbrokes_au', 'neds', 'tab', 'pointsbetau', 'sportsbet'];

interface Given {
  readonly bookmaker: string;
  /** Seconds before the start, each with a price. */
  readonly points: readonly (readonly [secondsBefore: number, price: number])[];
  /** Seconds from the last point to the last poll. */
  readonly polledAfter: number;
}

const price = fc.constantFrom(2, 2.5, 3, 4.2, 20, 21, 34, 101);
const secondsBefore = fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.constantFrom(3600, 3541, 3540, 1800, 600, 300));
const given = fc
  .uniqueArray(
    fc.record({
      bookmaker: fc.constantFrom(...KEYS),
      points: fc.uniqueArray(fc.tuple(secondsBefore, price), { selector: ([at]) => at, minLength: 1, maxLength: 8 }),
      polledAfter: fc.oneof(fc.integer({ min: 0, max: 4000 }), fc.constantFrom(0, 119, 120, 121, 299, 300)),
    }),
    { selector: ({ bookmaker }) => bookmaker, minLength: 1, maxLength: 5 },
  )
  .map((books): Given[] =>
    books.map((book) => ({ ...book, points: [...book.points].sort(([left], [right]) => right - left) })),
  );

const AT_A_MARK = [300, 600, 1800, 3600];

const atOf = (seconds: number): number => START - seconds * 1000;

/** What is stored when the clock shows `nowMs`: neither a capture nor a poll that is still to come. */
function stored(books: readonly Given[], nowMs: number) {
  const known = books.flatMap(({ bookmaker, points, polledAfter }) => {
    const seen = points.filter(([seconds]) => atOf(seconds) <= nowMs);
    if (seen.length === 0) return [];
    const lastMs = atOf(seen.at(-1)![0]);
    const polledAtMs = seen.length < points.length ? lastMs : Math.min(nowMs, lastMs + polledAfter * 1000);
    return [{ bookmaker, seen, polledAtMs }];
  });
  const captured = known.map(({ bookmaker, seen }): CapturedPrices => {
    const atMs = seen.map(([seconds]) => atOf(seconds));
    return { bookmaker, runners: [{ number: 1, atMs, prices: seen.map(([, one]) => one), withdrawnAtMs: null }] };
  });
  const compared = known.map(({ bookmaker, polledAtMs }) => ({ bookmaker, polledAtMs, numbers: [1], win: [2] }));
  return { known, captured, compared };
}

const runners = [{ number: 1, name: 'One', scratched: false, emergency: false }] as never;

function courseAt(books: readonly Given[], nowMs: number) {
  const { captured, compared } = stored(books, nowMs);
  const { reached, runners: courses } = fluctuationsOf({ startMs: START, runners, compared }, captured, nowMs);
  return { reached, ...courses.get(1)! };
}

/** By a second reading of the rules: the highest price that stood, placeholders left out (A 2.4 rule 2). */
function bestOf(prices: readonly number[]): number | null {
  const medianOf = (others: readonly number[]): number => {
    const sorted = [...others].sort((a, b) => a - b);
    const middle = sorted.length / 2;
    return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  };
  const kept = prices.filter((one, i) => {
    const others = prices.filter((_, at) => at !== i);
    return others.length < 3 || one < 21 || one < 4 * medianOf(others);
  });
  return kept.length === 0 ? null : Math.max(...kept);
}

function standingThen(books: readonly Given[], markMs: number, nowMs: number): number | null {
  const prices = stored(books, nowMs).known.flatMap(({ seen, polledAtMs }) => {
    // Nothing is known of a book from its last poll on.
    if (polledAtMs < markMs) return [];
    const before = seen.filter(([seconds]) => atOf(seconds) <= markMs).at(-1);
    if (before) return [before[1]];
    const [firstSeconds, first] = seen[0]!;
    // Captured in the first minute of the window: the price at its opening.
    return firstSeconds < 3600 && firstSeconds >= 3540 && markMs === atOf(3600) ? [first] : [];
  });
  return bestOf(prices);
}

const clock = fc.integer({ min: -120, max: 4200 }).map((seconds) => atOf(seconds));

test('every mark is the best of what books were seen to offer then, and none is ahead of the clock', () => {
  fc.assert(
    fc.property(given, clock, (books, nowMs) => {
      const { reached, marks, first } = courseAt(books, nowMs);
      for (const mark of FLUCTUATION_MARKS) {
        const markMs = START - MINUTES[mark] * MINUTE;
        const isPolled = stored(books, nowMs).known.some(({ polledAtMs }) => polledAtMs >= markMs);
        expect([mark, reached.includes(mark)]).toEqual([mark, isPolled]);
        expect([mark, marks[mark]]).toEqual([mark, isPolled ? standingThen(books, markMs, nowMs) : null]);
      }
      if (first === null) return;
      expect(first.atMs).toBeLessThanOrEqual(nowMs);
      expect(first.atMs).toBeGreaterThanOrEqual(START - 60 * MINUTE);
      expect(books.flatMap(({ points }) => points.map(([, one]) => one))).toContain(first.price);
    }),
    { numRuns: runs(3000) },
  );
});

test('a mark that is shown is never taken back: it stays, and a book that is read later can only join it', () => {
  let shown = 0;
  fc.assert(
    fc.property(given, clock, clock, (books, one, other) => {
      const before = courseAt(books, Math.min(one, other));
      const after = courseAt(books, Math.max(one, other));
      expect(after.reached).toEqual(expect.arrayContaining([...before.reached]));
      for (const mark of FLUCTUATION_MARKS) {
        if (before.marks[mark] === null) continue;
        shown++;
        expect([mark, after.marks[mark]]).not.toEqual([mark, null]);
      }
    }),
    { numRuns: runs(3000) },
  );
  expect(shown).toBeGreaterThan(50);
});

test('the archive of the race has the same figures', () => {
  fc.assert(
    fc.property(given, (books) => {
      const { captured, known } = stored(books, START);
      // The archive keeps whole seconds: a last poll at a mark falls on either side of it.
      fc.pre(known.every(({ polledAtMs }) => !AT_A_MARK.includes((START - polledAtMs) / 1000)));
      const closes = known.map(({ bookmaker, polledAtMs }) => {
        const seconds = Math.floor((START - polledAtMs) / 1000);
        const is_closing_line = seconds <= 300;
        return {
          bookmaker_key: bookmaker,
          runner_number: 1,
          runner_key: 'one',
          is_closing_line,
          close_secs_to_jump: seconds,
        };
      });
      const series = captured.map(({ bookmaker, runners: [runner] }) => {
        return { ...runner!, runnerKey: 'one', name: 'One', bookmaker, lays: null };
      });
      const archived = capturedToJump({ series, jumpMs: START }, closes);
      const polledAtMs = new Map(archived.map((one) => [one.bookmaker, START]));
      const lines = linesOf(archived, [1], { startMs: START, nowMs: START, polledAtMs });
      const marked = new Map(bestAtMarks(lines, 0, null, START).map(({ mark, best }) => [mark, best?.price ?? null]));
      const { marks } = courseAt(books, START);
      expect(marks).toEqual(Object.fromEntries(FLUCTUATION_MARKS.map((mark) => [mark, marked.get(mark)])));
    }),
    { numRuns: runs(3000) },
  );
});

test('a price captured 42 minutes out is the first, with its minutes, and there is none for the hour', () => {
  const books = [
    {
      bookmaker: 'tab',
      points: [
        [2520, 6],
        [1200, 4.2],
      ],
      polledAfter: 1200,
    },
  ] as const;
  const { first, marks, reached } = courseAt(books, atOf(400));
  expect(first).toEqual({ price: 6, atMs: atOf(2520) });
  expect(marks).toEqual({ t60: null, t30: 6, t10: 4.2, t5: null });
  expect(reached).toEqual(['t60', 't30', 't10']);
});

test('captures from before a start that was put back count from the opening of the window', () => {
  const books = [
    {
      bookmaker: 'tab',
      points: [
        [7000, 9],
        [4000, 6],
        [3000, 4.2],
      ],
      polledAfter: 3000,
    },
  ] as const;
  expect(courseAt(books, START).first).toEqual({ price: 6, atMs: atOf(3600) });
});
