// A shortened answer is a part of the whole: nothing in it is invented, and its marks count what is left out.
import fc from 'fast-check';
import { excerpt, type Part } from '../../../src/web/home/excerpt';
import { containedIn, readExcerpt } from '../../support/pages/excerpts';
import { runs } from '../../support/property';

const NAMES = ['a', 'b', 'c', '__proto__', 'toString'];
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.integer(), fc.constant(null), fc.boolean(), fc.constantFrom('x', '', 'a "b"', 'Ōtaki, R1', '}')),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...NAMES), tie('value')), { selector: ([name]) => name, maxLength: 5 })
      .map((entries) =>
        JSON.parse(`{${entries.map(([name, of]) => `${JSON.stringify(name)}:${JSON.stringify(of)}`)}}`),
      ),
  ),
})).value;
const parts = fc.letrec<{ part: Part }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4 },
    fc.constant<Part>('whole'),
    fc.record({ first: fc.integer({ min: 0, max: 3 }), each: tie('part') }),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), tie('part')), { selector: ([name]) => name })
      .map((entries) => ({ members: Object.fromEntries(entries) })),
  ),
})).part;

test('whatever is shown is in the answer, at its place, and each mark counts what is left out', () => {
  fc.assert(
    fc.property(json, parts, (value, part) => containedIn(value, readExcerpt(excerpt(value, part)))),
    { numRuns: runs(5000) },
  );
});

test('the reader of this test finds an invented value and a wrong count', () => {
  const read = (lines: readonly string[]) => containedIn([{ a: 1, b: 2 }, 3], readExcerpt(lines));
  expect(read(['[', '  {', '    "a": 1,', '    … 1 more member', '  },', '  … 1 more', ']'])).toBe(true);
  expect(read(['[', '  {', '    "a": 2,', '    … 1 more member', '  },', '  … 1 more', ']'])).toBe(false);
  expect(read(['[', '  {', '    "a": 1,', '    … 1 more member', '  },', '  … 2 more', ']'])).toBe(false);
  expect(read(['[', '  {', '    "a": 1', '  },', '  … 1 more', ']'])).toBe(false);
});

test('an object in one line names that members are left out', () => {
  const lines = excerpt([{ key: 'tab', price: 2.5, url: null }, 1, 2], {
    first: 1,
    each: { members: { key: 'whole', price: 'whole' }, inline: true },
  });
  expect(lines).toEqual(['[', '  { "key": "tab", "price": 2.5, … },', '  … 2 more', ']']);
});

test('what is not in the answer is not shown', () => {
  expect(excerpt({ a: 1 }, { members: { b: 'whole' } })).toEqual(['{', '  … 1 more member', '}']);
  expect(excerpt([], { first: 3, each: 'whole' })).toEqual(['[]']);
});
