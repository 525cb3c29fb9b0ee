import fc from 'fast-check';
import { type BookPath, moveOf } from '../../../src/domain/market/movers';

const path = (bookmaker: string, open: number, current: number, points = open === current ? 1 : 2): BookPath => ({
  bookmaker,
  open,
  current,
  openSecsToJump: 3590,
  points,
});

test('the move is from the mean opening to the mean current price of the books with history', () => {
  const move = moveOf([path('tab', 6.5, 5), path('neds', 6, 5), path('unibet', 5.2, 5.2)], 2)!;
  expect(move).toMatchObject({ open: 6.25, current: 5, movePct: -20, direction: 'firming', withHistory: 2 });
  expect(move).toMatchObject({ firming: 2, drifting: 0, unchanged: 1 });
  expect(move.books.map(({ bookmaker, counted }) => [bookmaker, counted])).toEqual([
    ['neds', true],
    ['tab', true],
    ['unibet', false],
  ]);
  expect(move.books[0]!.movePct).toBeCloseTo(-16.667, 3);
});

test('min_books counts books with two captured prices, not books that quote or agree', () => {
  const paths = [path('a', 4, 5), path('b', 4, 3.9), path('c', 4, 4)];
  expect(moveOf(paths, 2)).toMatchObject({ firming: 1, drifting: 1, unchanged: 1, direction: 'drifting' });
  expect(moveOf(paths, 3)).toBeNull();
});

test('a book whose price left and returned has history and has not moved', () => {
  const move = moveOf([path('a', 4, 4, 3), path('b', 4, 5)], 2)!;
  expect(move).toMatchObject({ withHistory: 2, unchanged: 1, drifting: 1, open: 4, current: 4.5 });
});

test('a move needs a book and a changed average', () => {
  expect(moveOf([], 1)).toBeNull();
  expect(moveOf([path('a', 4, 5), path('b', 5, 4)], 1)).toBeNull();
});

test('a placeholder moves nothing, whether first or last (A 2.4 rule 2)', () => {
  const steady = [path('a', 6, 5), path('b', 6.2, 5.1), path('c', 6, 5)];
  const fromPlaceholder = moveOf([...steady, path('d', 101, 5.5)], 3)!;
  expect(fromPlaceholder).toMatchObject({ withHistory: 3, firming: 3, unchanged: 1, direction: 'firming' });
  expect(fromPlaceholder.books[3]).toMatchObject({ bookmaker: 'd', counted: false });
  const toPlaceholder = moveOf([...steady, path('d', 5.5, 101)], 3)!;
  expect(toPlaceholder.movePct).toBe(fromPlaceholder.movePct);
  // With fewer than three other books no quote is a placeholder.
  expect(moveOf([...steady.slice(1), path('d', 101, 5.5)], 3)!.withHistory).toBe(3);
});

const price = fc.double({ min: 1.01, max: 1001, noNaN: true });
const paths = fc.uniqueArray(
  fc.record({
    bookmaker: fc.constantFrom(...'abcdefghijklmno'),
    open: price,
    current: fc.option(price, { nil: null }),
    more: fc.nat(3),
  }),
  { selector: (one) => one.bookmaker, minLength: 1, maxLength: 15 },
);
const somePaths = paths.map((list) =>
  list.map(({ bookmaker, open, current, more }) =>
    path(bookmaker, open, current ?? open, current === null ? 1 : 2 + more),
  ),
);

test('for any books, the counters partition them and the direction is the sign', () => {
  let moved = 0;
  fc.assert(
    fc.property(somePaths, fc.integer({ min: 1, max: 5 }), (books, minBooks) => {
      const move = moveOf(books, minBooks);
      if (move === null) return;
      moved++;
      expect(move.firming + move.drifting + move.unchanged).toBe(books.length);
      expect(move.withHistory).toBe(move.books.filter((book) => book.counted).length);
      expect(move.withHistory).toBeGreaterThanOrEqual(minBooks);
      expect(move.direction).toBe(move.movePct < 0 ? 'firming' : 'drifting');
      expect(Math.sign(move.movePct)).toBe(Math.sign(move.current - move.open));
      expect(move.books.filter((book) => book.points < 2 && book.counted)).toEqual([]);
    }),
    { numRuns: 100 },
  );
  expect(moved).toBeGreaterThan(20);
});

test('the order of the books does not matter', () => {
  const shuffled = somePaths.chain((books) =>
    fc.tuple(fc.constant(books), fc.shuffledSubarray(books, { minLength: books.length })),
  );
  fc.assert(
    fc.property(shuffled, ([books, other]) => {
      expect(moveOf(other, 1)).toEqual(moveOf(books, 1));
    }),
  );
});
