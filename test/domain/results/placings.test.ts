// A 3: placings are stable while their key stays the same.
import fc from 'fast-check';
import { placingsKey, placingsOf } from '../../../src/domain/results/placings';

const placed = (...pairs: [number, number][]) => pairs.map(([position, number]) => ({ position, number }));

test('first four, best first, a dead heat in the order of numbers', () => {
  expect(placingsKey(placed([2, 3], [1, 2], [3, 9], [3, 8]))).toBe('1:2|2:3|3:8,9');
});

test('a book that lists the whole field has the key of one that lists four places', () => {
  const four = placed([1, 7], [2, 5], [3, 4], [4, 6]);
  expect(placingsKey(four)).toBe('1:7|2:5|3:4|4:6');
  expect(placingsKey([...placed([0, 9], [5, 1], [6, 2]), ...four])).toBe(placingsKey(four));
});

test('without placings there is no key', () => expect(placingsKey([])).toBe(''));

test('the order of the rows never matters; swapping two places always does', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 24 }), { minLength: 4, maxLength: 8 });
  fc.assert(
    fc.property(numbers, ([a, b, c, d]) => {
      const rows = placed([1, a!], [2, b!], [3, c!], [4, d!]);
      expect(placingsKey([...rows].reverse())).toBe(placingsKey(rows));
      expect(placingsKey(placed([1, b!], [2, a!], [3, c!], [4, d!]))).not.toBe(placingsKey(rows));
    }),
  );
});

test('a key gives its placings back', () => {
  expect(placingsOf('1:2|3:8,9')).toEqual(placed([1, 2], [3, 8], [3, 9]));
  expect(placingsOf('')).toEqual([]);
  const row = fc.record({ position: fc.integer({ min: 1, max: 6 }), number: fc.integer({ min: 1, max: 24 }) });
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      expect(placingsKey(placingsOf(placingsKey(rows)))).toBe(placingsKey(rows));
    }),
  );
});
