// Which runners make up the field (A 2.5), and prices aligned to them.
import {
  alignedTo,
  type FieldRunner,
  fieldOf,
  pricesAt,
  type QuotedBook,
} from '../../../src/domain/market/consensus-field';

const runner = (number: number, over: Partial<FieldRunner> = {}): FieldRunner => ({
  number,
  scratched: false,
  emergency: null,
  ...over,
});
const RUNNERS = [runner(1), runner(2), runner(5), runner(9, { emergency: true })];
const aligned = (...books: (number | null)[][]) => books.map((prices, i) => ({ bookmaker: `book${i}`, prices }));

describe('aligned prices', () => {
  const book: QuotedBook = { bookmaker: 'tab', numbers: [1, 2, 3, 5, 9], win: [2, 3, 4, null, 6] };

  test('are in the order of the runners; null if the book quotes none', () => {
    expect(alignedTo(RUNNERS, book)).toEqual({ bookmaker: 'tab', prices: [2, 3, null, 6] });
  });

  test('do not depend on the book’s order, and a number that it does not list is not quoted', () => {
    const other = { bookmaker: 'tab', numbers: [9, 5, 1], win: [6, 7, 2] };
    expect(alignedTo(RUNNERS, other).prices).toEqual([2, null, 7, 6]);
  });
});

describe('the field', () => {
  test('is every runner that any book prices: a runner without a price has no start', () => {
    expect(fieldOf(RUNNERS, aligned([2, null, 3, null], [2, null, null, null]))).toEqual([0, 2]);
    // One book of three is enough for any runner except an emergency.
    expect(fieldOf(RUNNERS, aligned([2, null, 3, 9], [2, null, null, null], [2, null, null, null]))).toEqual([0, 2]);
  });

  test.each([
    ['one of three', [8, null, null], [0, 1, 2]],
    ['two of four', [8, null, null, 9], [0, 1, 2, 3]],
    ['all', [8, 8, 8], [0, 1, 2, 3]],
    ['none', [null, null], [0, 1, 2]],
  ])('has an emergency once half of the books price it: %s', (_, prices, field) => {
    expect(fieldOf(RUNNERS, aligned(...prices.map((price) => [2, 3, 4, price])))).toEqual(field);
  });

  test('is empty without a book', () => {
    expect(fieldOf(RUNNERS, [])).toEqual([]);
  });

  test('prices at its positions are those of the field only', () => {
    const books = aligned([2, null, 3, 9]);
    expect(pricesAt([0, 2], RUNNERS, books)).toEqual([{ bookmaker: 'book0', prices: [2, 3] }]);
    expect(pricesAt([0, 1, 2, 3], RUNNERS, books)).toBe(books);
  });
});
