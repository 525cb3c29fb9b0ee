// What must never happen to a reply's body: that one above the limit is read, that one within the limit is refused, or
// that the result depends on its compression.
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { bodyOf } from '../../../src/feeds/transport/body';
import { runs } from '../../support/property';

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } };
const brotli = (body: string) => brotliCompressSync(body, FAST);
const PACKERS = { gzip: gzipSync, 'x-gzip': gzipSync, deflate: deflateSync, br: brotli } as const;
const ENCODINGS = Object.keys(PACKERS) as (keyof typeof PACKERS)[];
const MEGABYTE = 1024 * 1024;

/** Blanks compress to almost nothing, figures to half. */
const text = (size: number, isPlain: boolean): string => {
  if (isPlain) return ' '.repeat(size);
  let seed = size + 1;
  const figures = Array.from({ length: Math.min(size, 200_000) }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % 10;
  }).join('');
  return figures.padEnd(size, figures).slice(0, size);
};

const sizes = fc.oneof(fc.nat(4000), fc.integer({ min: MEGABYTE - 2, max: MEGABYTE + 2 }), fc.nat(1.5 * MEGABYTE));

test('property: a body is read if and only if it is within the limit, in any encoding', () =>
  fc.assert(
    fc.asyncProperty(
      fc.record({
        encoding: fc.constantFrom(...ENCODINGS),
        size: sizes,
        isPlain: fc.boolean(),
        room: fc.integer({ min: -1, max: 1 }),
      }),
      async ({ encoding, size, isPlain, room }) => {
        const body = text(size, isPlain);
        const packed = PACKERS[encoding](body);
        const most = Math.max(1, size + room, packed.length);
        const read = await bodyOf(packed, encoding, most);
        expect(read).toEqual(size <= most ? { kind: 'text', text: body } : { kind: 'too_large' });
      },
    ),
    { numRuns: runs(300) },
  ));

test.each(ENCODINGS)('a damaged or truncated %s body is malformed, small or large', async (encoding) => {
  for (const size of [2000, 1_500_000]) {
    const packed = PACKERS[encoding](text(size, false));
    const cut = packed.subarray(0, packed.length / 2);
    for (const raw of [cut, Buffer.from('{"races":[]}'.repeat(size / 12))])
      expect(await bodyOf(raw, encoding, 8 * MEGABYTE)).toMatchObject({ kind: 'malformed' });
  }
});
