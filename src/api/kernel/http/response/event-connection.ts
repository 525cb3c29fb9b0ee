// One open response of server-sent events. A slow reader has a bounded buffer: beyond it the response ends with a last
// event, and the client continues from the last id that it got. It never makes others wait.
import { once } from 'node:events';
import type { Context } from 'koa';
import { ExpectedRefusal } from '../../../../errors';
import { ClientGone } from '../client-gone';
import { headersOf } from '../response-headers';
import type { PlayFormat } from './reply';

export interface EventBounds {
  /** Bytes that may wait for one client when the next event comes. */
  readonly mostWaiting: number;
  /** The same while the opening is sent, which is larger than all events that come meanwhile. */
  readonly mostDuringOpening: number;
  /** Wall time that a client has to read the rest when its stream ends. */
  readonly lingerMs: number;
}

export const EVENT_BOUNDS: EventBounds = {
  mostWaiting: 2 * 1024 * 1024,
  mostDuringOpening: 16 * 1024 * 1024,
  lingerMs: 5000,
};

export class EventConnection {
  isOpen = true;
  /** The opening is sent. */
  hasOpened = false;
  private hasBegun = false;
  /** Until the opening, and the events that came meanwhile, are sent. */
  private waiting: Buffer[] | null = [];
  private waitingBytes = 0;
  private readonly ends: (() => void)[] = [];

  /** `tooSlow`: the last event for a client that falls behind. */
  constructor(
    private readonly ctx: Context,
    private readonly bounds: EventBounds,
    private readonly tooSlow: () => Buffer,
  ) {
    ctx.res.once('close', () => this.close());
    if (ctx.res.closed) this.close();
  }

  /** Called once, when the connection is closed or ends, by either side. */
  onEnd(work: () => void): void {
    if (this.isOpen) this.ends.push(work);
    else work();
  }

  /** Writes the head and these events, as fast as the client reads them, then the events sent meanwhile. */
  async begin(opening: readonly Buffer[]): Promise<void> {
    if (!this.isOpen) throw this.ctx.res.closed ? new ClientGone() : notBegun();
    this.hasBegun = true;
    writeEventHead(this.ctx);
    // A framed event goes past the response, to the socket.
    this.ctx.res.flushHeaders();
    for (const bytes of opening) {
      if (!this.isOpen) return;
      await write(this.ctx.res, bytes);
    }
    if (!this.isOpen) return;
    this.hasOpened = true;
    for (let bytes = this.waiting?.shift(); bytes; bytes = this.waiting?.shift()) {
      this.waitingBytes -= bytes.length;
      await write(this.ctx.res, bytes);
    }
    this.waiting = null;
  }

  /** `framed`: the same bytes in the frame of an HTTP chunk. Returns whether neither is needed any more. */
  send(bytes: Buffer, framed?: Buffer): boolean {
    if (!this.isOpen) return true;
    const { res } = this.ctx;
    const { mostWaiting, mostDuringOpening } = this.bounds;
    // Without this event: an event larger than the limit does not make a client slow.
    if (this.waiting ? this.waitingBytes > mostDuringOpening : res.writableLength > mostWaiting) {
      this.end(this.tooSlow());
      return true;
    }
    if (this.waiting) {
      this.waiting.push(bytes);
      this.waitingBytes += bytes.length;
    } else if (framed && res.chunkedEncoding) return writeFramed(res, framed);
    else res.write(bytes);
    return false;
  }

  /** Sends the pending bytes, then this, and closes the connection; before the head, `begin` will throw. */
  end(last?: Buffer): void {
    if (!this.isOpen) return;
    this.close();
    if (!this.hasBegun) return;
    const { res } = this.ctx;
    // Events that wait for the end of the opening are dropped: the client continues from the id before it.
    res.end(last);
    setTimeout(() => res.destroy(), this.bounds.lingerMs).unref();
  }

  private close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.waiting = null;
    for (const work of this.ends) work();
  }
}

export const PLAY_TYPES: Readonly<Record<PlayFormat, string>> = {
  sse: 'text/event-stream; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

const notBegun = (): ExpectedRefusal =>
  new ExpectedRefusal('unavailable', 'This stream could not begin. Send the request again.', {
    retry_after_seconds: 1,
  });

/** HEAD has it too. Never compressed or buffered by proxies: an event must not wait for the next one. */
export function writeEventHead(ctx: Context, type: string = PLAY_TYPES.sse): void {
  ctx.respond = false;
  // Streams are long: the end of a stream ends its connection too.
  ctx.res.shouldKeepAlive = false;
  ctx.res.writeHead(200, [
    ...headersOf(ctx),
    'Content-Type',
    type,
    'Cache-Control',
    'no-store, no-transform',
    'X-Accel-Buffering',
    'no',
  ]);
}

/**
 * In one piece and at once: Node writes a chunk in three, and in the next turn, which costs a third more. Returns
 * whether the kernel has all of it: a socket that has written at once keeps nothing.
 */
function writeFramed(res: Context['res'], framed: Buffer): boolean {
  const { socket } = res;
  // Nothing waits in the response itself.
  if (socket?.writable && res.writableLength === socket.writableLength) {
    socket.write(framed);
    return socket.writableLength === 0;
  }
  res.chunkedEncoding = false;
  res.write(framed);
  res.chunkedEncoding = true;
  return false;
}

/** As fast as the client reads it. */
async function write(res: Context['res'], bytes: Buffer): Promise<void> {
  if (res.write(bytes)) return;
  const gone = new AbortController();
  const left = (): void => gone.abort();
  res.once('close', left);
  try {
    await once(res, 'drain', { signal: gone.signal });
  } catch {
    // The connection is closed.
  } finally {
    res.off('close', left);
  }
}
