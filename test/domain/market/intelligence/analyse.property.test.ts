// Invariants of every race's analysis, whatever its books did.
import fc from 'fast-check';
import { CUSTOMER_BOOKMAKER_KEYS } from '../../../../src/domain/bookmakers';
import { analyse } from '../../../../src/domain/market/intelligence/analyse';
import { MARK_NAMES, markMs } from '../../../../src/domain/market/intelligence/marks';
import { capturedOf, type MarketCase, raceOf, START_MS, type TimedQuotes } from './market';

const BOOKS = CUSTOMER_BOOKMAKER_KEYS.slice(0, 6);
/** From evens to long shots; some prices are 4 times others, so that placeholders occur. */
const price = fc.oneof(fc.integer({ min: 101, max: 900 }), fc.integer({ min: 2000, max: 12_000 })).map((n) => n / 100);

/** A book that quotes from some instant on, and changes its prices a few times. */
const book = (whole: fc.Arbitrary<number | null>) =>
  fc
    .tuple(
      fc.array(fc.integer({ min: -400, max: 3700 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(whole, whole, whole, whole), { minLength: 6, maxLength: 6 }),
    )
    .map(([instants, wins]): TimedQuotes[] => {
      const inTime = [...new Set(instants)].sort((a, b) => b - a);
      return inTime.map((seconds, i): TimedQuotes => [seconds, ...wins[i]!]);
    });

const market = (whole: fc.Arbitrary<number | null>): fc.Arbitrary<MarketCase> =>
  fc.record({
    books: fc
      .array(book(whole), { minLength: 1, maxLength: BOOKS.length })
      .map((all) => Object.fromEntries(all.map((quotes, i) => [BOOKS[i]!, quotes]))),
    now: fc.integer({ min: -500, max: 3700 }),
    minBooks: fc.integer({ min: 1, max: 4 }),
    scratched: fc.subarray([1, 2, 3, 4], { maxLength: 2 }),
  });

const any = market(fc.oneof({ weight: 9, arbitrary: price }, { weight: 1, arbitrary: fc.constant(null) }));

function inputOf(what: MarketCase) {
  const nowMs = START_MS - what.now! * 1000;
  const captured = Object.entries(what.books).map(([bookmaker, quotes]) => {
    return { bookmaker, runners: capturedOf(quotes, nowMs) };
  });
  return { race: raceOf(what), captured, nowMs };
}

function analysisOf(what: MarketCase) {
  const { race, captured, nowMs } = inputOf(what);
  return { ...analyse(race, captured, what.minBooks!, nowMs), nowMs };
}

test('marks are in order of time, and none has a figure before its time', () => {
  const instants = MARK_NAMES.map((name) => markMs(name, START_MS));
  expect(instants).toEqual([...instants].sort((a, b) => a - b));
  fc.assert(
    fc.property(any, (what) => {
      const { runners, nowMs, window } = analysisOf(what);
      for (const name of MARK_NAMES) {
        const figures = runners.some(({ consensus }) => consensus[name] !== null);
        expect(window.marks.includes(name)).toBe(figures);
        if (figures) expect(markMs(name, START_MS)).toBeLessThanOrEqual(nowMs);
      }
    }),
  );
});

test('while no book withdraws a price, every mark after the first with a figure has one', () => {
  // Below 21 no quote is a placeholder, and every book that quotes prices the field.
  const plain = market(fc.integer({ min: 101, max: 2000 }).map((n) => n / 100));
  fc.assert(
    fc.property(plain, (what) => {
      const { runners, nowMs, window } = analysisOf({ ...what, scratched: [] });
      if (!window.open) return;
      const passed = MARK_NAMES.filter((name) => markMs(name, START_MS) <= nowMs);
      for (const { consensus } of runners) {
        const figures = passed.map((name) => consensus[name] !== null);
        expect(figures).toEqual([...figures].sort());
      }
    }),
  );
});

test('a move is the percentage between now and its mark', () => {
  fc.assert(
    fc.property(any, (what) => {
      for (const { consensus, moveFromT60Pct, moveFromT15Pct } of analysisOf(what).runners) {
        for (const [move, then] of [
          [moveFromT60Pct, consensus.t60] as const,
          [moveFromT15Pct, consensus.t15] as const,
        ]) {
          if (then === null || consensus.now === null) expect(move).toBeNull();
          else {
            const expected = (consensus.now / then - 1) * 100;
            // Prices of 1.01 beside 20 make a consensus of any size, so the comparison is proportional.
            expect(Math.abs(move! - expected)).toBeLessThanOrEqual(1e-8 * Math.max(1, Math.abs(expected)));
          }
        }
      }
    }),
  );
});

test('no consensus of the window lies outside its high and low', () => {
  fc.assert(
    fc.property(any, (what) => {
      const { runners, nowMs } = analysisOf(what);
      for (const { consensus } of runners) {
        const { high, low, ...prices } = consensus;
        const figures = Object.values(prices).filter((one) => one !== null);
        expect((high === null) === (low === null)).toBe(true);
        for (const { atMs } of [high, low].filter((one) => one !== null)) {
          expect(atMs).toBeLessThanOrEqual(nowMs);
          expect(atMs).toBeGreaterThanOrEqual(START_MS - 3_600_000);
        }
        if (high === null || low === null) continue;
        for (const one of figures) {
          expect(one).toBeLessThanOrEqual(high.price);
          expect(one).toBeGreaterThanOrEqual(low.price);
        }
      }
    }),
  );
});

test('firming, drifting and unchanged partition the quoting books with history', () => {
  fc.assert(
    fc.property(any, (what) => {
      for (const { breadth } of analysisOf(what).runners) {
        const { quoting, withHistory, firming, drifting, unchanged } = breadth;
        expect(firming + drifting + unchanged).toBe(withHistory);
        expect(withHistory).toBeLessThanOrEqual(quoting);
      }
    }),
  );
});

test('a first mover leads by the floor or more, and its followers are other books', () => {
  fc.assert(
    fc.property(any, (what) => {
      for (const { firstMover } of analysisOf(what).runners) {
        if (firstMover.status === 'undetermined') continue;
        const { bookmaker, followers, leadSeconds, medianFollowerLagSeconds } = firstMover;
        expect(leadSeconds).toBeGreaterThanOrEqual(30);
        expect(medianFollowerLagSeconds).toBeGreaterThanOrEqual(leadSeconds);
        expect(new Set([bookmaker, ...followers]).size).toBe(followers.length + 1);
      }
    }),
  );
});

test('the order of the books does not matter', () => {
  fc.assert(
    fc.property(any, (what) => {
      const { race, captured, nowMs } = inputOf(what);
      const turned = { ...race, books: [...race.books].reverse() };
      const one = analyse(race, captured, what.minBooks!, nowMs);
      const other = analyse(turned, [...captured].reverse(), what.minBooks!, nowMs);
      expect({ ...other, attributionExcluded: [...other.attributionExcluded].sort() }).toEqual({
        ...one,
        attributionExcluded: [...one.attributionExcluded].sort(),
      });
    }),
  );
});
