// D23: the middle of a few numbers.
import fc from 'fast-check';
import { median } from '../../../src/domain/market/median';

test.each([
  [[], null],
  [[3], 3],
  [[4, 1], 2.5],
  [[9, 1, 5], 5],
  [[8, 2, 4, 100], 6],
])('the median of %j is %j', (values, expected) => {
  expect(median(values)).toBe(expected);
});

test('equals the middle of the sorted values, and leaves its input unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 }), (values) => {
      const before = [...values];
      const sorted = [...values].sort((a, b) => a - b);
      const low = sorted[(sorted.length - 1) >> 1]!;
      const high = sorted[sorted.length >> 1]!;
      expect(median(values)).toBeCloseTo(low === high ? low : (low + high) / 2, 12);
      expect(values).toEqual(before);
    }),
  );
});
