// Compresses bodies with an encoding that the caller accepts (D4). A shared response is compressed once: see
// `PreparedResponse`.
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, deflate, deflateSync, gzip, gzipSync } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'deflate';

/** Compression does not pay for smaller bodies. */
const LEAST_BYTES = 1024;
/** Fast; higher qualities take many times as long to save a few per cent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const TEXT = /^text\/|json|javascript|xml/;

/** On this thread, within half a millisecond: for a body of this size the thread pool takes three times as long. */
const SMALL_BYTES = 16_384;

interface Compressor {
  readonly atOnce: (bytes: Buffer) => Buffer;
  readonly beside: (bytes: Buffer) => Promise<Buffer>;
}

const brotliBeside = promisify(brotliCompress) as (bytes: Buffer, options: typeof BROTLI) => Promise<Buffer>;
const COMPRESSORS: Readonly<Record<Encoding, Compressor>> = {
  br: { atOnce: (bytes) => brotliCompressSync(bytes, BROTLI), beside: (bytes) => brotliBeside(bytes, BROTLI) },
  gzip: { atOnce: (bytes) => gzipSync(bytes), beside: promisify(gzip) },
  deflate: { atOnce: (bytes) => deflateSync(bytes), beside: promisify(deflate) },
};

export async function compressBytes(encoding: Encoding, bytes: Buffer): Promise<Buffer> {
  const { atOnce, beside } = COMPRESSORS[encoding];
  return bytes.length <= SMALL_BYTES ? atOnce(bytes) : beside(bytes);
}

const compressedOnce = new WeakMap<Buffer, Map<Encoding, Promise<Buffer>>>();

/**
 * A file is the same buffer in every response: it is compressed at the first request, and concurrent requests share it.
 */
function compressOnce(encoding: Encoding, file: Buffer): Promise<Buffer> {
  const variants = compressedOnce.get(file) ?? new Map<Encoding, Promise<Buffer>>();
  compressedOnce.set(file, variants);
  const pending = variants.get(encoding) ?? compressBytes(encoding, file);
  variants.set(encoding, pending);
  return pending;
}

const PREFERRED = ['br', 'gzip', 'deflate', 'identity'];

/** The encoding for a body of this size and a caller's `Accept-Encoding`; null: send it uncompressed. */
export function encodingFor(accepted: string | undefined, size: number): Encoding | null {
  if (accepted === undefined || size < LEAST_BYTES) return null;
  // `*` gets gzip, which every client can decompress.
  const headers = { 'accept-encoding': accepted === '*' ? 'gzip' : accepted };
  const best = new Negotiator({ headers }).encoding(PREFERRED, { preferred: PREFERRED });
  return best === undefined || best === 'identity' ? null : (best as Encoding);
}

const GZIP_OR_NOT = ['gzip', 'identity'];

/** For a body of unknown size. */
export const acceptsGzip = (accepted: string | undefined): boolean =>
  accepted !== undefined &&
  new Negotiator({ headers: { 'accept-encoding': accepted } }).encoding(GZIP_OR_NOT, { preferred: GZIP_OR_NOT }) ===
    'gzip';

/** Compresses the body set on this context if it is large enough and the caller accepts an encoding. */
export async function compressResponse(ctx: Context): Promise<void> {
  const { body } = ctx;
  if (ctx.headerSent || ctx.method === 'HEAD' || !(typeof body === 'string' || Buffer.isBuffer(body))) return;
  if (!TEXT.test(ctx.type)) return;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const encoding = encodingFor(ctx.req.headers['accept-encoding'], bytes.length);
  if (encoding === null) return;
  ctx.set('Content-Encoding', encoding);
  ctx.body = await (bytes === body ? compressOnce : compressBytes)(encoding, bytes);
}

/** For pages and documents; operations compress their own responses. */
export const compressed: Middleware = async (ctx, next) => {
  await next();
  await compressResponse(ctx);
};
