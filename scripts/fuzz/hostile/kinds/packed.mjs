// Compressed bodies: small ones that expand to large ones, broken ones, and unknown encodings.
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { posting, single } from '../requests.mjs';

const MEGABYTE = 1_048_576;
const zeros = (megabytes) => Buffer.alloc(megabytes * MEGABYTE, '0');
const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

export const packed = {
  name: 'packed',
  title: 'packed bodies: bombs, broken ones',
  *cases({ writing, random }) {
    const large = zeros(64);
    const wide = Buffer.from(`{${Array.from({ length: 80_000 }, (_, i) => `"m${i}":1`).join(',')}}`);
    const bombs = { gzip: gzipSync(large), deflate: deflateSync(large), br: brotli(large) };
    const packs = { gzip: gzipSync, deflate: deflateSync, br: brotli };
    for (const operation of writing) {
      const text = Buffer.from(JSON.stringify(operation.example));
      for (const encoding of Object.keys(packs)) {
        const pack = packs[encoding];
        const good = pack(text);
        yield sent(operation, 'a bomb', encoding, bombs[encoding]);
        yield sent(operation, 'a bomb in a bomb', encoding, pack(bombs[encoding]));
        yield sent(operation, 'a bomb in an example', encoding, pack(Buffer.concat([text, zeros(8)])));
        yield sent(operation, '80,000 members', encoding, pack(wide));
        yield sent(operation, 'half of it', encoding, good.subarray(0, good.length / 2));
        yield sent(operation, 'twice', encoding, Buffer.concat([good, good]));
        yield sent(operation, 'a bomb behind it', encoding, Buffer.concat([good, bombs[encoding]]));
        yield sent(operation, 'rubbish behind it', encoding, Buffer.concat([good, random.bytes(100)]));
        yield sent(operation, 'rubbish', encoding, random.bytes(300));
        yield sent(operation, 'nothing', encoding, '');
        yield sent(operation, 'not packed', encoding, text);
        for (let i = 0; i < 5; i += 1) yield sent(operation, `a flipped bit ${i}`, encoding, flipped(good, random));
      }
      yield sent(operation, 'without its head', 'deflate', deflateRawSync(text));
      for (const encoding of [
        'gzip, br',
        'gzip, gzip',
        'x-gzip',
        'compress',
        'zstd',
        'identity',
        'GZIP',
        ' ',
        '*',
        'gzip;q=1',
        ',',
      ])
        yield sent(operation, `encoding "${encoding}"`, encoding, gzipSync(text));
    }
  },
};

const sent = (operation, name, encoding, body) =>
  single(
    `${encoding}: ${name} at ${operation.target}`,
    posting(operation, body, { headers: [['Content-Encoding', encoding]] }),
  );

function flipped(bytes, random) {
  const copy = Buffer.from(bytes);
  copy[random.below(copy.length)] ^= 1 << random.below(8);
  return copy;
}
