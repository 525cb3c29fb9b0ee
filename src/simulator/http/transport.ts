// How replies are sent: gzip if accepted, weak ETags and 304 for the books that send them. Knows nothing about racing.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Middleware } from 'koa';

const SMALLEST_COMPRESSED = 1024;

export const compressed: Middleware = async (ctx, next) => {
  await next();
  ctx.vary('Accept-Encoding');
  if (typeof ctx.body !== 'string' || ctx.body.length < SMALLEST_COMPRESSED) return;
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') return;
  const { type } = ctx;
  // Synchronous: a stream and the thread pool would cost more than the compression takes.
  ctx.body = gzipSync(ctx.body, { level: 1 });
  ctx.set('Content-Encoding', 'gzip');
  ctx.type = type;
};

/** Answers 304 if the caller's ETag matches `ctx.state.tagged`. */
export const conditional: Middleware = async (ctx, next) => {
  await next();
  const tagged: unknown = ctx.state.tagged;
  if (typeof tagged !== 'string') return;
  const etag = `W/"${createHash('sha1').update(tagged).digest('base64url')}"`;
  ctx.set('ETag', etag);
  if (!ctx.get('If-None-Match').split(/,\s*/).includes(etag)) return;
  ctx.status = 304;
  ctx.body = null;
};
