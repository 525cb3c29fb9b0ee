// Sends a body that is generated while it is sent: no size is too large for the memory, and a slow client slows the
// source down. Anything that breaks before the first byte is a problem document; later, the connection is cut, so that
// a partial body never looks complete.
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Context } from 'koa';
import { ClientGone } from '../client-gone';
import { acceptsGzip } from '../compression';
import { headersOf } from '../response-headers';
import type { OpenedBody, StreamedReply } from './reply';

/**
 * `left`: the client closed the connection, or read nothing for too long. `broken`: the source failed after the first
 * byte, or stalled.
 */
type Ending = 'complete' | 'left' | 'broken';

/** A client that reads nothing for this long is gone (D46). Wall time. */
export const STALLED_AFTER_MS = 60_000;

/**
 * Resolves at the first bytes, or at the end. Rejects if the source fails before, and with `ClientGone` if the client
 * leaves, which ends it.
 */
export async function opened({ res }: Context, { open }: StreamedReply): Promise<OpenedBody> {
  const { promise: left, reject } = Promise.withResolvers<never>();
  left.catch(() => {});
  const leave = (): void => reject(new ClientGone());
  res.once('close', leave);
  if (res.closed) leave();
  const opening = listenedTo(open);
  try {
    const body = await Promise.race([opening, left]);
    // At its end too.
    await Promise.race([once(body.source, 'readable'), left]);
    return body;
  } catch (error) {
    // Including one that opens only now.
    opening.then(({ source }) => source.destroy(error as Error)).catch(() => {});
    throw error;
  } finally {
    res.off('close', leave);
  }
}

async function listenedTo(open: StreamedReply['open']): Promise<OpenedBody> {
  const found = await open();
  const body = found instanceof Readable ? { source: found, headers: {} } : found;
  // Between two listeners too: an error without one would end the process. `errored` keeps it.
  body.source.on('error', () => {});
  return body;
}

/** `body` null: for HEAD, the headers that need no work. */
export async function sendStream(
  ctx: Context,
  reply: StreamedReply,
  body: OpenedBody | null,
  stalledAfterMs = STALLED_AFTER_MS,
): Promise<Ending> {
  const source = body?.source ?? null;
  const { status = 200, type, fileName, length, cacheControl = 'no-store', headers = {} } = reply;
  const gzips = source !== null && reply.compressible === true && acceptsGzip(ctx.req.headers['accept-encoding']);
  ctx.respond = false;
  ctx.res.writeHead(status, [
    ...headersOf(ctx),
    'Content-Type',
    type,
    'Cache-Control',
    cacheControl,
    ...(gzips ? ['Content-Encoding', 'gzip'] : []),
    ...(length === undefined || gzips ? [] : ['Content-Length', String(length)]),
    ...(fileName === undefined ? [] : ['Content-Disposition', `attachment; filename="${fileName}"`]),
    ...Object.entries({ ...headers, ...body?.headers }).flat(),
  ]);
  if (source === null) {
    ctx.res.end();
    return 'complete';
  }
  let failed = source.errored !== null;
  source.once('error', () => {
    // What ends with the connection was ended by it.
    failed = !ctx.res.destroyed;
  });
  let isStarved = false;
  // For a connection on which nothing moves: the client is not at fault if it has read everything there was, and more
  // was to come.
  ctx.res.once('timeout', () => {
    isStarved = !ctx.res.writableEnded && !ctx.res.writableNeedDrain;
    ctx.res.destroy();
  });
  const stall = cutWhenStalled(ctx, stalledAfterMs);
  try {
    if (gzips) await pipeline(source, createGzip(), inPieces, ctx.res);
    else await pipeline(source, inPieces, ctx.res);
    return 'complete';
  } catch (error) {
    if (!failed && !isStarved) return 'left';
    ctx.app.emit('error', error);
    return 'broken';
  } finally {
    clearInterval(stall);
  }
}

/** 304, with the headers that name the version. */
export function sendUnchanged(ctx: Context, { cacheControl = 'no-store', headers = {} }: StreamedReply): void {
  ctx.respond = false;
  ctx.res.writeHead(304, [...headersOf(ctx), 'Cache-Control', cacheControl, ...Object.entries(headers).flat()]).end();
}

const PIECE_BYTES = 65_536;

/**
 * A slow client visibly takes one piece after the other. A text that is short enough becomes bytes only in the socket:
 * its copies need no garbage collection.
 */
async function* inPieces(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<Uint8Array | string> {
  for await (const chunk of chunks) {
    if (chunk.length <= PIECE_BYTES) {
      yield chunk;
      continue;
    }
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
  }
}

const LOOKS = 4;

/** Cuts a connection whose client reads nothing of a full buffer for so long; until the timer is cleared. */
export function cutWhenStalled({ req, res }: Context, afterMs: number): NodeJS.Timeout {
  let sent = -1;
  let looks = 0;
  const look = (): void => {
    const now = req.socket.bytesWritten;
    // Without a full buffer it waits for the source. Checks are counted instead of time: while the machine stands still
    // there are none.
    looks = now === sent && res.writableNeedDrain ? looks + 1 : 0;
    sent = now;
    if (looks === LOOKS) res.destroy();
  };
  return setInterval(look, afterMs / LOOKS).unref();
}
