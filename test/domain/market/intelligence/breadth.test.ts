// A 2.6 rule 2: which books have a history, and which way each of them moved.
import fc from 'fast-check';
import { type BookNow, breadthOf } from '../../../../src/domain/market/intelligence/breadth';

const book = (price: number, opening: number | null, captured = 2): BookNow => ({ price, opening, captured });

test.each([
  ['a shorter price firms', book(3.9, 4), 'firming'],
  ['a longer one drifts', book(4.1, 4), 'drifting'],
  ['one that went and came back is unchanged', book(4, 4, 3), 'unchanged'],
] as const)('%s', (_, one, way) => {
  const none = { firming: 0, drifting: 0, unchanged: 0 };
  expect(breadthOf([one])).toEqual({ quoting: 1, withHistory: 1, ...none, [way]: 1 });
});

test.each([
  ['one captured price', book(3.9, 4, 1)],
  ['nothing captured', book(3.9, 4, 0)],
  ['no price at the opening', book(3.9, null, 5)],
])('a book with %s quotes and has no history', (_, one) => {
  expect(breadthOf([one])).toEqual({ quoting: 1, withHistory: 0, firming: 0, drifting: 0, unchanged: 0 });
});

test('no book quotes: all are 0', () => {
  expect(breadthOf([])).toEqual({ quoting: 0, withHistory: 0, firming: 0, drifting: 0, unchanged: 0 });
});

test('every book is counted separately: the counts of two groups add up', () => {
  const price = fc.constantFrom(3.9, 4, 4.1);
  const books = fc.array(fc.record({ price, opening: fc.option(price), captured: fc.nat(3) }), { maxLength: 6 });
  fc.assert(
    fc.property(books, books, (some, more) => {
      const [a, b, both] = [some, more, [...some, ...more]].map(breadthOf);
      for (const count of ['quoting', 'withHistory', 'firming', 'drifting', 'unchanged'] as const) {
        expect(both![count]).toBe(a![count] + b![count]);
      }
    }),
  );
});
