// Our SHA-1 compared with Node's, byte for byte.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sha1Hex } from '../../../src/domain/race/sha1';

test('FIPS 180-4 example "abc"', () => {
  expect(sha1Hex([0x61, 0x62, 0x63])).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
});

test('agrees with node:crypto for any bytes, block boundaries included', () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  fc.assert(
    fc.property(bytes, (b) => sha1Hex([...b]) === createHash('sha1').update(b).digest('hex')),
    { examples: [0, 55, 56, 63, 64, 119, 120].map((n): [Uint8Array] => [new Uint8Array(n).fill(0x5a)]) },
  );
});
