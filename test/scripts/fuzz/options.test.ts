const { parseFuzzOptions } = require('../../../scripts/fuzz/options.mjs') as {
  parseFuzzOptions(args: readonly string[]): Record<string, unknown>;
};

test('without arguments it makes the same requests every time', () => {
  const usual = { help: false, operation: null, examples: 40, seed: null, minutes: 20 };
  expect(parseFuzzOptions([])).toEqual({ ...usual, schemathesis: true, hostile: true, kind: null });
});

test('examples, seed, minutes and operation can be set', () => {
  const args = ['--examples', '500', '--seed', '7', '--minutes', '30', '--operation', 'movers'];
  expect(parseFuzzOptions(args)).toMatchObject({ operation: 'movers', examples: 500, seed: 7, minutes: 30 });
});

test('hostile requests only, of one kind, or none of them', () => {
  expect(parseFuzzOptions(['--hostile'])).toMatchObject({ schemathesis: false, hostile: true });
  expect(parseFuzzOptions(['--kind', 'bodies'])).toMatchObject({ schemathesis: false, hostile: true, kind: 'bodies' });
  expect(parseFuzzOptions(['--operation', 'movers'])).toMatchObject({ schemathesis: true, hostile: false });
  expect(() => parseFuzzOptions(['--kind', 'kindness'])).toThrow(
    /^--kind is "kindness": give one of answers, framing, heads,/,
  );
});

test.each(['0', '-1', 'many', '1.5', ''])('--examples %j is refused in one sentence', (text) => {
  expect(() => parseFuzzOptions([`--examples=${text}`])).toThrow(
    `--examples is "${text}": give a whole number above 0.`,
  );
});
