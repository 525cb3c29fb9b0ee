import fc from 'fast-check';
import { insertInto, removeFrom, replaceIn } from '../../../../src/domain/market/intelligence/ascending';

const value = fc.integer({ min: 0, max: 9 });
const change = fc.record({ what: fc.constantFrom('insert', 'remove', 'replace'), value, which: fc.nat() });
const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b);

test('after any changes the list equals its sorted values, equal ones included', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const list: number[] = [];
      let expected: number[] = [];
      for (const { what, value, which } of changes) {
        const present = expected[which % Math.max(1, expected.length)];
        if (what === 'insert' || present === undefined) {
          insertInto(list, value);
          expected = ascending([...expected, value]);
        } else {
          if (what === 'remove') removeFrom(list, present);
          else replaceIn(list, present, value);
          const at = expected.indexOf(present);
          expected = ascending(expected.toSpliced(at, 1, ...(what === 'remove' ? [] : [value])));
        }
        expect(list).toEqual(expected);
      }
    }),
  );
});

test.each([
  ['up past one', 3, 6, [1, 5, 6, 7]],
  ['up to the end', 1, 9, [3, 5, 7, 9]],
  ['up, staying where it is', 3, 4, [1, 4, 5, 7]],
  ['up to a value that is there', 1, 5, [3, 5, 5, 7]],
  ['down past one', 5, 2, [1, 2, 3, 7]],
  ['down to the front', 7, 0, [0, 1, 3, 5]],
  ['down to a value that is there', 7, 3, [1, 3, 3, 5]],
])('a replaced value moves %s', (_, from, to, expected) => {
  const list = [1, 3, 5, 7];
  replaceIn(list, from, to);
  expect(list).toEqual(expected);
});

test('an inserted value goes to its place: front, middle, end', () => {
  const list: number[] = [];
  for (const value of [5, 7, 1, 5]) insertInto(list, value);
  expect(list).toEqual([1, 5, 5, 7]);
});
