// A 2.4: best lines and the placeholder rule, compared with a slow and literal implementation.
import fc from 'fast-check';
import { type BookQuote, bestWin, marketPercentage, priceSpreadPct } from '../../../src/domain/prices/best-price';

const quote = (bookmaker: string, price: number, ageSeconds = 0): BookQuote => ({ bookmaker, price, ageSeconds });
const quotes = (...prices: number[]) => prices.map((price, i) => quote(`book${i}`, price));

const anyQuotes = fc
  .array(fc.tuple(fc.constantFrom(1.5, 2, 5, 6, 21, 26, 101, 501), fc.integer({ min: 0, max: 3 })), { maxLength: 9 })
  .map((rows) => rows.map(([price, age], i) => quote(`book${i}`, price, age)));

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The rule of A 2.4 rule 2, literally. */
const literalSuspects = (all: readonly BookQuote[]) =>
  all.flatMap(({ bookmaker, price }) => {
    const others = all.filter((q) => q.bookmaker !== bookmaker).map((q) => q.price);
    const suspect = price >= 21 && others.length >= 3 && price >= 4 * median(others);
    return suspect ? [{ bookmaker, price, consensus: median(others) }] : [];
  });

describe('placeholder rule (A 2.4 rule 2)', () => {
  test('a 101 against three books at 5 is listed and not the best', () => {
    expect(bestWin(quotes(5, 5.5, 6, 101))).toMatchObject({
      best: { bookmaker: 'book2', price: 6 },
      suspects: [{ bookmaker: 'book3', price: 101, consensus: 5.5 }],
      quoting: 4,
      worst: 5,
    });
  });

  test.each([
    ['two other books are not enough', [5, 5, 101]],
    ['below 21 is never one', [2, 2, 2, 20.9]],
    ['below four times the median is a long shot, not a placeholder', [6, 6, 6, 23.9]],
    ['a field of long shots has none', [101, 81, 126, 151]],
  ])('%s', (_, prices) => {
    const line = bestWin(quotes(...prices));
    expect(line.suspects).toEqual([]);
    expect(line.best!.price).toBe(Math.max(...prices));
  });

  test('with a placeholder present, four times the median below 21 is still not one', () => {
    const { suspects, best } = bestWin(quotes(4, 4.2, 4.5, 20, 30));
    expect(suspects).toEqual([{ bookmaker: 'book4', price: 30, consensus: 4.35 }]);
    expect(best!.price).toBe(20);
  });

  test('exactly 21 and exactly four times the median is one', () => {
    expect(bestWin(quotes(5.25, 5.25, 5.25, 21)).suspects).toHaveLength(1);
  });

  test('two books with the same placeholder are both excluded', () => {
    expect(bestWin(quotes(4, 5, 6, 501, 501)).suspects.map((s) => s.bookmaker)).toEqual(['book3', 'book4']);
  });

  test('equals the literal rule for any quotes, and never removes the last one', () => {
    fc.assert(
      fc.property(anyQuotes, (all) => {
        const line = bestWin(all);
        expect(line.suspects).toEqual(literalSuspects(all));
        expect(line.best === null).toBe(all.length === 0);
      }),
    );
  });
});

describe('bestWin', () => {
  test('ties go to the fresher quote, then to the bookmaker key', () => {
    const fresh = [quote('c', 5, 2), quote('b', 5, 2)];
    for (const all of [[quote('a', 5, 9), ...fresh], [...fresh].reverse().concat(quote('a', 5, 9))]) {
      expect(bestWin(all).best!.bookmaker).toBe('b');
    }
  });

  test('without a quote there is no line', () => {
    expect(bestWin([])).toEqual({ best: null, suspects: [], quoting: 0, worst: null });
  });

  test('the order of the input never matters, and worst <= every kept quote <= best', () => {
    fc.assert(
      fc.property(anyQuotes, (all) => {
        const line = bestWin(all);
        expect(bestWin([...all].reverse()).best).toEqual(line.best);
        const kept = all.filter((q) => !line.suspects.some((s) => s.bookmaker === q.bookmaker)).map((q) => q.price);
        expect([line.worst, line.best?.price ?? null]).toEqual(
          kept.length === 0 ? [null, null] : [Math.min(...kept), Math.max(...kept)],
        );
      }),
    );
  });
});

test('A 2.4: market_percentage is the sum of implied probabilities; unquoted runners are left out', () => {
  expect(marketPercentage([2, 4, null, 4])).toBeCloseTo(100, 10);
  expect(marketPercentage([null])).toBeNull();
});

test('A 2.4: price_spread_pct is how much better the best is than the worst', () => {
  expect(priceSpreadPct(6, 5)).toBeCloseTo(20, 10);
  expect(priceSpreadPct(6, 6)).toBe(0);
  expect([priceSpreadPct(null, null), priceSpreadPct(6, null), priceSpreadPct(null, 5)]).toEqual([null, null, null]);
});
