// One open response of server-sent events. A reader that falls behind has a bounded buffer: beyond it the response ends
// with a last event, and the client goes on from the last id that it got. It never makes others wait.
import { once } from 'node:events';
import type { Context } from 'koa';
import { ExpectedRefusal } from '../../../../errors';
import { ClientGone } from '../client-gone';
import { headersOf } from '../response-headers';

export interface EventConnection {
  /** Writes the head and these events, as fast as the client takes them, then what was sent meanwhile. */
  begin(opening: readonly Buffer[]): Promise<void>;
  send(bytes: Buffer): void;
  /** Sends what was written, then this, and closes the connection; before the head, `begin` will throw. */
  end(last?: Buffer): void;
  readonly isOpen: boolean;
  /** The opening is sent. */
  readonly hasOpened: boolean;
  /** Called once, when the connection is closed or ends, by either side. */
  onEnd(work: () => void): void;
}

export interface EventBounds {
  /** What may wait for one client when the next event comes. */
  readonly mostWaiting: number;
  /** Likewise while its opening is sent, which is larger than all that comes meanwhile. */
  readonly mostDuringOpening: number;
  /** How long a client may take for what waits when its stream ends, wall time. */
  readonly lingerMs: number;
}

export const EVENT_BOUNDS: EventBounds = {
  mostWaiting: 2 * 1024 * 1024,
  mostDuringOpening: 16 * 1024 * 1024,
  lingerMs: 5000,
};

/** `tooSlow`: the last event for a client that falls behind. */
export function eventConnection(
  ctx: Context,
  { mostWaiting, mostDuringOpening, lingerMs }: EventBounds,
  tooSlow: () => Buffer,
): EventConnection {
  const { res } = ctx;
  /** Until the opening, and what came meanwhile, is sent. */
  let waiting: Buffer[] | null = [];
  let waitingBytes = 0;
  let isOpen = true;
  let hasBegun = false;
  let hasOpened = false;
  const ends: (() => void)[] = [];

  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    waiting = null;
    for (const work of ends) work();
  };
  res.once('close', close);
  if (res.closed) close();

  const end = (last?: Buffer): void => {
    if (!isOpen) return;
    close();
    if (!hasBegun) return;
    // What waits for the end of the opening is dropped: the client goes on from the id before it.
    res.end(last);
    setTimeout(() => res.destroy(), lingerMs).unref();
  };

  const send = (bytes: Buffer): void => {
    if (!isOpen) return;
    // Without this event: one that is larger than the bound makes no client slow.
    if (waiting ? waitingBytes > mostDuringOpening : res.writableLength > mostWaiting) {
      end(tooSlow());
    } else if (waiting) {
      waiting.push(bytes);
      waitingBytes += bytes.length;
    } else res.write(bytes);
  };

  /** As fast as the client takes it. */
  const write = async (bytes: Buffer): Promise<void> => {
    if (!res.write(bytes)) await drained(res);
  };

  return {
    get hasOpened() {
      return hasOpened;
    },
    get isOpen() {
      return isOpen;
    },
    onEnd: (work) => void (isOpen ? ends.push(work) : work()),
    send,
    end,
    async begin(opening) {
      if (!isOpen) throw res.closed ? new ClientGone() : notBegun();
      hasBegun = true;
      writeEventHead(ctx);
      for (const bytes of opening) {
        if (!isOpen) return;
        await write(bytes);
      }
      if (!isOpen) return;
      hasOpened = true;
      for (let bytes = waiting?.shift(); bytes; bytes = waiting?.shift()) {
        waitingBytes -= bytes.length;
        await write(bytes);
      }
      waiting = null;
    },
  };
}

const notBegun = (): ExpectedRefusal =>
  new ExpectedRefusal('unavailable', 'This stream could not begin. Send the request again.', {
    retry_after_seconds: 1,
  });

/** HEAD has it too. Never compressed or buffered on its way: an event must not wait for the next one. */
export function writeEventHead(ctx: Context): void {
  ctx.respond = false;
  // Streams are long: what ends one, ends its connection too.
  ctx.res.shouldKeepAlive = false;
  ctx.res.writeHead(200, [
    ...headersOf(ctx),
    'Content-Type',
    'text/event-stream; charset=utf-8',
    'Cache-Control',
    'no-store, no-transform',
    'X-Accel-Buffering',
    'no',
  ]);
}

async function drained(res: Context['res']): Promise<void> {
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
