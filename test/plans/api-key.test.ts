import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { formatKey, isWellFormedKey, KEY_RANDOM_BYTES } from '../../src/plans/api-key';

const random = fc.uint8Array({ minLength: KEY_RANDOM_BYTES * 2, maxLength: KEY_RANDOM_BYTES * 2 });
// Skipped bytes leave too few; a longer source never does in practice.
const keys = random.filter((bytes) => bytes.filter((b) => b < 248).length >= 32).map(formatKey);

test('a key has the form of D18 and is accepted', () => {
  const key = formatKey(randomBytes(KEY_RANDOM_BYTES));
  expect(key).toMatch(/^pe_live_[0-9A-Za-z]{38}$/);
  expect(isWellFormedKey(key)).toBe(true);
});

test('its last six characters are the CRC-32 of what precedes, in base 62', () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  fc.assert(
    fc.property(keys, (key) => {
      let value = 0;
      for (const digit of key.slice(-6)) value = value * 62 + digits.indexOf(digit);
      const crc =
        (crc32 as ((text: string) => number) | undefined)?.(key.slice(0, -6)) ?? referenceCrc(key.slice(0, -6));
      return value === crc;
    }),
  );
});

test('one wrong character is always noticed', () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: 8, max: 45 }), fc.constantFrom(...'0Aaz9Z'), (key, at, other) => {
      fc.pre(key[at] !== other);
      return !isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1));
    }),
  );
});

test('no character is likelier than another: bytes beyond a multiple of the alphabet are skipped', () => {
  const skipped = new Uint8Array([255, 248, ...new Array<number>(32).fill(0)]);
  expect(formatKey(skipped)).toBe(formatKey(new Uint8Array(32)));
  expect(() => formatKey(new Uint8Array(31))).toThrow(RangeError);
});

test.each(['', 'pe_live_', 'pe_test_abc', 'x'.repeat(46)])('%j is not a key', (text) => {
  expect(isWellFormedKey(text)).toBe(false);
});

/** CRC-32 by polynomial division, one bit at a time from the other end: for a Node without `zlib.crc32`. */
function referenceCrc(text: string): number {
  let crc = ~0;
  for (const byte of Buffer.from(text)) {
    for (let bit = 0; bit < 8; bit++) {
      const carry = (crc ^ (byte >> bit)) & 1;
      crc = (crc >>> 1) ^ (carry ? 0xedb88320 : 0);
    }
  }
  return ~crc >>> 0;
}
