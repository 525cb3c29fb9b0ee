// Reads the text of a reply's body, gzip and brotli included, within a size limit. The limit on the wire is that of
// `wholeReply`.
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate,
  inflateSync,
  type ZlibOptions,
} from 'node:zlib';

interface TooLarge {
  readonly kind: 'too_large';
}

export type BodyRead =
  | { readonly kind: 'text'; readonly text: string }
  | TooLarge
  | { readonly kind: 'malformed'; readonly detail: string };

interface Decoder {
  readonly atOnce: (raw: Buffer, options: ZlibOptions) => Buffer;
  readonly beside: (raw: Buffer, options: ZlibOptions) => Promise<Buffer>;
}

const GZIP: Decoder = { atOnce: gunzipSync, beside: promisify(gunzip) };
const DECODERS = {
  gzip: GZIP,
  'x-gzip': GZIP,
  deflate: { atOnce: inflateSync, beside: promisify(inflate) },
  br: { atOnce: brotliDecompressSync, beside: promisify(brotliDecompress) },
} as const satisfies Record<string, Decoder>;

/**
 * Bytes per step of decompression. In steps of zlib's 16 KB, a reply of 8 MB takes five times as much processor time.
 */
const STEP = 65_536;
/** Most replies are unpacked in one step: room that is not used costs as much as the unpacking. */
const stepOf = (raw: Buffer): number => Math.min(STEP, Math.max(4096, 8 * raw.length));

/**
 * Size of a reply that is decompressed on this thread, within two milliseconds. The thread pool takes several times as
 * long for most replies.
 */
const SMALL = { packed: 65_536, unpacked: 1024 * 1024 };

/** The text of a whole body. `maxBytes`: after decompression. */
export async function bodyOf(raw: Buffer, encoding: string | null, maxBytes: number): Promise<BodyRead> {
  const body = await unpack(raw, encoding, maxBytes);
  return Buffer.isBuffer(body) ? { kind: 'text', text: textOf(body) } : body;
}

async function unpack(raw: Buffer, encoding: string | null, maxBytes: number): Promise<Buffer | BodyRead> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || raw.length === 0) return raw;
  if (!Object.hasOwn(DECODERS, name)) return { kind: 'malformed', detail: `content-encoding ${name}` };
  const decoder = DECODERS[name as keyof typeof DECODERS];
  const most = Math.min(maxBytes, SMALL.unpacked);
  try {
    if (raw.length <= SMALL.packed) return decoder.atOnce(raw, { maxOutputLength: most, chunkSize: stepOf(raw) });
  } catch (error) {
    if (!isTooLarge(error) || most === maxBytes) return refusal(error, name);
  }
  return decoder
    .beside(raw, { maxOutputLength: maxBytes, chunkSize: STEP })
    .catch((error: unknown) => refusal(error, name));
}

const isTooLarge = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';

const refusal = (error: unknown, encoding: string): BodyRead =>
  isTooLarge(error) ? { kind: 'too_large' } : { kind: 'malformed', detail: `${encoding} body is damaged` };

const WESTERN = new TextDecoder('windows-1252');

/**
 * UTF-8 if the bytes are UTF-8, whatever the header says; otherwise windows-1252 (what the web means by latin-1, WHATWG
 * Encoding). A wrong accent must not cost a race, and a name with a replacement character would match no other book's.
 */
function textOf(body: Buffer): string {
  return isUtf8(body) ? withoutMark(body.toString('utf8')) : WESTERN.decode(body);
}

/** Strips a byte order mark, which JSON does not allow. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);
