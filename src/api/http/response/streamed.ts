// Sends a body that is made while it is sent: no size is too large for the memory, and a slow client slows the source down. Whatever
// breaks before the first byte is a problem document; later, the connection is cut, so that part of a body never passes for all of it.
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Context } from 'koa';
import { headersOf } from '../response-headers';
import type { StreamedReply } from './reply';

/** `left`: the client closed the connection. `broken`: the source failed after the first byte. */
type Ending = 'complete' | 'left' | 'broken';

/** Resolves once the first bytes are there, or the end. Rejects if the source fails before. */
export async function opened({ open }: StreamedReply): Promise<Readable> {
  const source = open();
  // Also at its end.
  await once(source, 'readable');
  return source;
}

/** `source` null: for HEAD, the headers alone. */
export async function sendStream(ctx: Context, reply: StreamedReply, source: Readable | null): Promise<Ending> {
  const { type, fileName, length, headers = {} } = reply;
  ctx.respond = false;
  ctx.res.writeHead(200, [
    ...headersOf(ctx),
    ...['Content-Type', type, 'Cache-Control', 'no-store'],
    ...(length === undefined ? [] : ['Content-Length', String(length)]),
    ...(fileName === undefined ? [] : ['Content-Disposition', `attachment; filename="${fileName}"`]),
    ...Object.entries(headers).flat(),
  ]);
  if (source === null) {
    ctx.res.end();
    return 'complete';
  }
  let failed = false;
  source.once('error', (error: NodeJS.ErrnoException) => {
    failed = error.code !== 'ERR_STREAM_PREMATURE_CLOSE';
  });
  try {
    await pipeline(source, ctx.res);
    return 'complete';
  } catch (error) {
    if (failed) ctx.app.emit('error', error);
    return failed ? 'broken' : 'left';
  }
}
