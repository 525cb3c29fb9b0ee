// The arithmetic of A 2.5 on one field, compared with a slow and literal implementation.
import fc from 'fast-check';
import { type BookPrices, type FieldConsensus, fieldConsensus } from '../../../src/domain/market/field-consensus';
import { type Normalisation, withoutMargin } from '../../../src/domain/market/no-vig';
import { bestWin } from '../../../src/domain/prices/best-price';
import { runs } from '../../support/property';

const book = (bookmaker: string, ...prices: (number | null)[]): BookPrices => ({ bookmaker, prices });
const reasonsOf = ({ shares }: FieldConsensus) => shares.map(({ reason }) => reason);

const METHODS: readonly Normalisation[] = ['power', 'multiplicative'];
const price = fc.oneof(
  fc.integer({ min: 101, max: 3_000 }).map((cents) => cents / 100),
  fc.constantFrom(1.01, 21, 101, 501, 1001),
);
const booksOf = (size: number): fc.Arbitrary<readonly BookPrices[]> =>
  fc
    .array(
      fc.array(fc.option(price, { freq: 12 }), { minLength: size, maxLength: size }).filter((row) => row.some(Boolean)),
      { maxLength: 8 },
    )
    .map((rows) => rows.map((prices, i) => book(`book${i}`, ...prices)));
const question = fc.integer({ min: 1, max: 14 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    books: booksOf(size),
    method: fc.constantFrom(...METHODS),
    minBooks: fc.integer({ min: 1, max: 4 }),
  }),
);

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const middle = (values: readonly number[]): number => {
  const sorted = ascending(values);
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2;
};

/** The literal rule: leave placeholders out, take the complete books' probabilities and their medians, scale once. */
function literally(books: readonly BookPrices[], size: number, method: Normalisation): number[] {
  const honest = books.map(({ bookmaker, prices }) =>
    prices.map((own, at) => {
      const quotes = books.flatMap((b) =>
        b.prices[at] == null ? [] : [{ bookmaker: b.bookmaker, price: b.prices[at], ageSeconds: 0 }],
      ) as { bookmaker: string; price: number; ageSeconds: number }[];
      return bestWin(quotes).suspects.some((suspect) => suspect.bookmaker === bookmaker) ? null : own;
    }),
  );
  const complete = honest.filter((prices) => !prices.includes(null)) as number[][];
  const shares = complete.map((prices) => withoutMargin(prices, method)!);
  if (shares.length === 0) return [];
  const medians = Array.from({ length: size }, (_, at) => middle(shares.map((share) => share[at]!)));
  const total = medians.reduce((a, b) => a + b, 0);
  return medians.map((one) => one / total);
}

test('one book is its own consensus', () => {
  const { probabilities, sumBefore, included } = fieldConsensus([book('tab', 2.6, 2.4, 4.3)], 3, 'power', 1);
  expect(included).toBe(1);
  expect(sumBefore).toBeCloseTo(1, 14);
  expect(probabilities[0]).toBeCloseTo(0.372984404068709, 12);
});

test('medians are scaled once, and their earlier sum is reported', () => {
  const books = [book('a', 2, 4, 4), book('b', 4, 2, 4), book('c', 4, 4, 2)];
  const { probabilities, sumBefore } = fieldConsensus(books, 3, 'multiplicative', 2);
  expect(sumBefore).toBeCloseTo(0.75, 14);
  for (const p of probabilities) expect(p).toBeCloseTo(1 / 3, 14);
});

test('a book that leaves out a runner is partial_field, one without a solution unsolvable, and neither counts', () => {
  const found = fieldConsensus([book('a', 2, 2), book('b', 2, null), book('c', 1, 2)], 2, 'power', 1);
  expect(reasonsOf(found)).toEqual([null, 'partial_field', 'unsolvable']);
  expect(found).toMatchObject({ included: 1, probabilities: [0.5, 0.5], dropped: [] });
  expect(found.shares.map(({ probabilities }) => probabilities === null)).toEqual([false, true, true]);
});

test('a placeholder is dropped, and its book no longer prices the complete field (A 2.4 rule 2)', () => {
  const books = [book('a', 1.5, 5), book('b', 1.5, 5.5), book('c', 1.5, 6), book('d', 1.5, 101)];
  const found = fieldConsensus(books, 2, 'power', 2);
  expect(found.dropped).toEqual([{ at: 1, bookmaker: 'd', price: 101, consensus: 5.5 }]);
  expect(reasonsOf(found)).toEqual([null, null, null, 'partial_field']);
  expect(books[3]!.prices).toEqual([1.5, 101]);
});

test('fewer books than min_books give no consensus', () => {
  const books = [book('a', 2, 2), book('b', 2, 2)];
  expect(fieldConsensus(books, 2, 'power', 2).probabilities).toEqual([0.5, 0.5]);
  expect(fieldConsensus(books, 2, 'power', 3)).toMatchObject({
    probabilities: [null, null],
    sumBefore: null,
    included: 2,
  });
});

test('a null quote is neither a placeholder nor makes one', () => {
  const books = [book('a', 1.5, 5), book('b', 1.5, null), book('c', 1.5, 6), book('d', 1.5, 101)];
  expect(fieldConsensus(books, 2, 'power', 1).dropped).toEqual([]);
  expect(fieldConsensus([...books, book('e', 1.5, 5.5)], 2, 'power', 1).dropped).toMatchObject([
    { at: 1, bookmaker: 'd' },
  ]);
});

test('no book or no field gives no consensus', () => {
  const none = { probabilities: [null, null], sumBefore: null, included: 0, shares: [], dropped: [] };
  expect(fieldConsensus([], 2, 'power', 1)).toEqual(none);
  expect(fieldConsensus([], 0, 'power', 1)).toEqual({ ...none, probabilities: [] });
});

test('equals the literal rule, for any books', () => {
  fc.assert(
    fc.property(question, ({ books, size, method, minBooks }) => {
      const { probabilities, included, shares } = fieldConsensus(books, size, method, minBooks);
      expect(shares.map(({ bookmaker }) => bookmaker)).toEqual(books.map(({ bookmaker }) => bookmaker));
      expect(shares.filter(({ reason }) => reason === null)).toHaveLength(included);
      if (included < minBooks) expect(probabilities).toEqual(new Array(size).fill(null));
      else {
        const expected = literally(books, size, method);
        probabilities.forEach((p, at) => {
          expect(p).toBeCloseTo(expected[at]!, 12);
        });
      }
    }),
    { numRuns: runs(500) },
  );
});

test('sums to 1, and keeps every order that the included books agree on', () => {
  fc.assert(
    fc.property(question, ({ books, size, method }) => {
      const { probabilities, shares } = fieldConsensus(books, size, method, 1);
      if (probabilities.includes(null)) return;
      const scaled = probabilities as readonly number[];
      expect(Math.abs(scaled.reduce((a, b) => a + b, 0) - 1)).toBeLessThan(1e-12);
      const included = books.filter((_, i) => shares[i]!.reason === null);
      for (let a = 0; a < size; a++) {
        for (let b = 0; b < size; b++) {
          if (included.every(({ prices }) => prices[a]! <= prices[b]!))
            expect(scaled[a]!).toBeGreaterThanOrEqual(scaled[b]!);
        }
      }
    }),
    { numRuns: runs(300) },
  );
});

test('every included book counts once: their order does not matter', () => {
  fc.assert(
    fc.property(question, ({ books, size, method, minBooks }) => {
      const [there, back] = [books, [...books].reverse()].map((some) => fieldConsensus(some, size, method, minBooks));
      expect(back!.probabilities).toEqual(there!.probabilities);
    }),
  );
});
