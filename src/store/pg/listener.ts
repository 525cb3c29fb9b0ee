// A separate connection that listens to one channel (LISTEN) and is reopened whenever it is lost. It is `up` only while
// its own notifications come back: PostgreSQL delivers in the order of commits, so everything committed before has then
// arrived too. With a pooler that accepts LISTEN and never delivers, or a silent line, it is not `up` for longer than a
// probe takes; behind a pooler that delivers some of them it is never `up`.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { isDirect } from './sessions/direct';

export interface ChannelEvents {
  /** From now on every notification arrives. */
  up(): void;
  /** Notifications may be missed until the next `up`. */
  down(): void;
  notified(payload: string): void;
}

export interface Listener {
  close(): Promise<void>;
}

interface Pace {
  readonly probeEveryMs: number;
  readonly probeWithinMs: number;
  readonly firstRetryMs: number;
  readonly lastRetryMs: number;
}

const PACE: Pace = { probeEveryMs: 5000, probeWithinMs: 5000, firstRetryMs: 100, lastRetryMs: 5000 };

/** `channel`: a plain lowercase name. */
export function listenTo(url: string, channel: string, events: ChannelEvents, pace = PACE): Listener {
  const stop = new AbortController();
  const run = async (): Promise<void> => {
    for (let retryMs = pace.firstRetryMs; !stop.signal.aborted; ) {
      const wasUp = await listenOnce(url, channel, events, pace, stop.signal);
      retryMs = wasUp ? pace.firstRetryMs : Math.min(retryMs * 2, pace.lastRetryMs);
      await delay(retryMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

/** Listens until the connection is lost. Never rejects; resolves to whether it was up. */
async function listenOnce(
  url: string,
  channel: string,
  events: ChannelEvents,
  pace: Pace,
  stop: AbortSignal,
): Promise<boolean> {
  const client = new Client({
    connectionString: url,
    application_name: `listener of ${channel}`,
    connectionTimeoutMillis: pace.probeWithinMs,
    query_timeout: pace.probeWithinMs,
    keepAlive: true,
  });
  const own = `probe:${randomUUID()}`;
  const lost = new AbortController();
  const signal = AbortSignal.any([lost.signal, stop]);
  let up = false;
  let probed = (): void => {};
  const leave = (): void => {
    // In the same turn as the loss, so that nothing is served in between.
    if (up) events.down();
    // Not awaited: the other side may be gone.
    client.end().catch(() => undefined);
  };
  signal.addEventListener('abort', leave, { once: true });
  client.on('error', () => lost.abort()).on('end', () => lost.abort());
  client.on('notification', ({ payload = '' }) => {
    if (payload === own) probed();
    else if (!payload.startsWith('probe:') && !signal.aborted) events.notified(payload);
  });
  const probe = async (): Promise<void> => {
    const back = new Promise<void>((done) => {
      probed = done;
    });
    await client.query('SELECT pg_notify($1, $2)', [channel, own]);
    // The probes have no signal of their own: `stop` would remember all of them.
    const late = setTimeout(() => lost.abort(), pace.probeWithinMs).unref();
    await within(back, signal).finally(() => clearTimeout(late));
  };
  try {
    // `pg` settles no connect of a client that is ended meanwhile.
    await within(client.connect(), signal);
    if (!(await isDirect(client))) throw new Error('the session is a pooler’s');
    await client.query(`LISTEN ${channel}`);
    for (;;) {
      await probe();
      if (!up) events.up();
      up = true;
      await delay(pace.probeEveryMs, undefined, { signal, ref: false });
    }
  } catch {
    // Lost, refused, silent or stopped: the next connection decides.
  }
  lost.abort();
  return up;
}

function within(done: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(signal.reason);
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
    done.then(() => resolve(), reject).finally(() => signal.removeEventListener('abort', fail));
  });
}
