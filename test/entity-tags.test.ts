// Which requests already have the content (RFC 9110 13.1.2), for pages, files and operations alike.
import { namesTag } from '../src/entity-tags';

test.each([
  ['W/"a"', 'W/"a"', true],
  ['"a"', 'W/"a"', true],
  ['W/"a"', '"a"', true],
  ['*', '"a"', true],
  [' "b" ,\tW/"a" , "c"', 'W/"a"', true],
  ['"b", "c"', '"a"', false],
  ['a', '"a"', false],
  ['', '"a"', false],
  [undefined, '"a"', false],
  [',,,', '"a"', false],
])('%j and %j: %s', (sent, tag, expected) => {
  expect(namesTag(sent, tag)).toBe(expected);
});

// The hostile requests (kind `heads`) measure, for every class of route, that it is read in one pass.
test('a run of blanks is read once', () => {
  const blanks = `a${' '.repeat(15_500)}b`;
  expect(namesTag(`${blanks}, "a"`, '"a"')).toBe(true);
  expect(namesTag(blanks, '"a"')).toBe(false);
});
