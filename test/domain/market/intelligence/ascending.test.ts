import fc from 'fast-check';
import { insertInto, removeFrom, replaceIn } from '../../../../src/domain/market/intelligence/ascending';

const value = fc.integer({ min: 0, max: 9 });
const change = fc.record({ what: fc.constantFrom('insert', 'remove', 'replace'), value, which: fc.nat() });
const ascending = (values: readonly number[]) => [...values].sort((a, b) => a - b);

test('after any changes the list is what sorting its values gives, equal ones too', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const list: number[] = [];
      let expected: number[] = [];
      for (const { what, value, which } of changes) {
        const held = expected[which % Math.max(1, expected.length)];
        if (what === 'insert' || held === undefined) {
          insertInto(list, value);
          expected = ascending([...expected, value]);
        } else {
          if (what === 'remove') removeFrom(list, held);
          else replaceIn(list, held, value);
          const at = expected.indexOf(held);
          expected = ascending(expected.toSpliced(at, 1, ...(what === 'remove' ? [] : [value])));
        }
        expect(list).toEqual(expected);
      }
    }),
  );
});
