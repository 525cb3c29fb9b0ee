import fc from 'fast-check';
import { keyIdOf, publicKeyId } from '../../src/plans/key-id';
import { runs } from '../support/property';

test('a key id is tk_ and its UUID in base32 (D18)', () => {
  expect(publicKeyId('8f0e5c1a-3c57-4a7e-9f0e-6b1f0b9a2d11')).toBe('tk_r4hfygr4k5fh5hyonmpqxgrnce');
  expect(publicKeyId('00000000-0000-0000-0000-000000000000')).toBe(`tk_${'a'.repeat(26)}`);
});

test('it is read back', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => expect(keyIdOf(publicKeyId(uuid))).toBe(uuid)),
    { numRuns: runs(500) },
  );
});

test.each([
  '',
  'tk_',
  'r4hfygr4k5fh5hyonmpqxgrnce',
  'tk_r4hfygr4k5fh5hyonmpqxgrnc',
  'tk_r4hfygr4k5fh5hyonmpqxgrncb',
  'tk_R4HFYGR4K5FH5HYONMPQXGRNCE',
  "tk_' OR 1=1 --",
  'wh_r4hfygr4k5fh5hyonmpqxgrnce',
])('%p names no key', (text) => expect(keyIdOf(text)).toBeNull());
