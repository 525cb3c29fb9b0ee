// Bodies packed as the caller asks (D4). An answer that many get is packed once for all of them: see `Said`.
import { promisify } from 'node:util';
import { brotliCompress, constants, deflate, gzip } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import Negotiator from 'negotiator';

export type Encoding = 'br' | 'gzip' | 'deflate';

/** Smaller ones gain nothing. */
const LEAST_BYTES = 1024;
/** Fast; higher ones take many times as long for a few per cent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const TEXT = /^text\/|json|javascript|xml/;

const packBrotli = promisify(brotliCompress) as (bytes: Buffer, options: typeof BROTLI) => Promise<Buffer>;
const PACKERS: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => packBrotli(bytes, BROTLI),
  gzip: promisify(gzip),
  deflate: promisify(deflate),
};

const PREFERRED = ['br', 'gzip', 'deflate', 'identity'];
export const compressBytes = (encoding: Encoding, bytes: Buffer): Promise<Buffer> => PACKERS[encoding](bytes);

/** How a body of this size is to be packed for a caller that sent this `Accept-Encoding`; null: not at all. */
export function encodingFor(accepted: string | undefined, size: number): Encoding | null {
  if (accepted === undefined || size < LEAST_BYTES) return null;
  // Whoever takes anything gets what everything can unpack.
  const headers = { 'accept-encoding': accepted === '*' ? 'gzip' : accepted };
  const best = new Negotiator({ headers }).encoding(PREFERRED, { preferred: PREFERRED });
  return best === undefined || best === 'identity' ? null : (best as Encoding);
}

/** Packs the body that Koa holds for this response, if it is worth it and the caller takes it. */
export async function compressResponse(ctx: Context): Promise<void> {
  const { body } = ctx;
  if (ctx.headerSent || ctx.method === 'HEAD' || !(typeof body === 'string' || Buffer.isBuffer(body))) return;
  if (!TEXT.test(ctx.type)) return;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const encoding = encodingFor(ctx.req.headers['accept-encoding'], bytes.length);
  if (encoding === null) return;
  ctx.set('Content-Encoding', encoding);
  ctx.body = await compressBytes(encoding, bytes);
}

/** For pages and documents; operations pack their own. */
export const compressed: Middleware = async (ctx, next) => {
  await next();
  await compressResponse(ctx);
};
