const { parseFuzzOptions } = require('../../../scripts/fuzz/options.mjs') as {
  parseFuzzOptions(args: readonly string[]): Record<string, unknown>;
};
const { isEnough } = require('../../../scripts/fuzz/python.mjs') as { isEnough(version: string | null): boolean };

test('without arguments it makes the same requests every time', () => {
  expect(parseFuzzOptions([])).toEqual({ help: false, operation: null, examples: 40, seed: null, minutes: 20 });
});

test('examples, seed, minutes and operation can be set', () => {
  const args = ['--examples', '500', '--seed', '7', '--minutes', '30', '--operation', 'movers'];
  expect(parseFuzzOptions(args)).toMatchObject({ operation: 'movers', examples: 500, seed: 7, minutes: 30 });
});

test.each(['0', '-1', 'many', '1.5', ''])('--examples %j is refused in one sentence', (text) => {
  expect(() => parseFuzzOptions([`--examples=${text}`])).toThrow(
    `--examples is "${text}": give a whole number above 0.`,
  );
});

test.each([
  ['3.11', true],
  ['3.14', true],
  ['4.0', true],
  ['3.10', false],
  ['2.7', false],
  [null, false],
])('Python %s is enough: %s', (version, enough) => {
  expect(isEnough(version)).toBe(enough);
});
