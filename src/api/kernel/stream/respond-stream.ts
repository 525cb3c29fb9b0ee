// Serves one stream: counts it, charges its first minute, sends its events, and checks its key, its minute and its
// lease when one of them is due or a key changes.

import { randomInt, randomUUID } from 'node:crypto';
import { metrics } from '@opentelemetry/api';
import type { Context } from 'koa';
import { type AppError, ExpectedRefusal } from '../../../errors';
import type { StreamLeases } from '../../../store/redis/stream-leases';
import { stateBalance } from '../charging/uncharged';
import type { Caller } from '../endpoint/caller';
import type { Meter, MeteredCall } from '../endpoint/meter';
import { type ProblemLog, problemBody, refusalOf } from '../http/problem';
import type { Chunk } from '../http/response/chunk';
import { type EventBounds, EventConnection, writeEventHead } from '../http/response/event-connection';
import type { EventsReply } from '../http/response/reply';
import type { Callers } from '../keys/callers';
import { dueTimes } from './due-times';
import { connectionOf } from './event-id';
import { eventBytes, retryBytes } from './event-text';
import { type MinuteDeps, minutesOf } from './minutes';
import { openKey } from './open-key';
import { paidPlace } from './paid-place';
import type { Look, Rounds } from './rounds';

export interface StreamDeps extends MinuteDeps {
  readonly callers: Pick<Callers, 'identify' | 'currentForMs' | 'changes'>;
  readonly meter: Pick<Meter, 'charge' | 'balance'>;
  /** Null: streams are not counted. */
  readonly leases: StreamLeases | null;
  readonly bounds: EventBounds;
  /** How often a client gets a comment, wall time. */
  readonly heartbeatMs: number;
  /** How often a connection renews its place, wall time. */
  readonly renewMs: number;
  /** When its open streams look at their key, their minute and their lease. */
  readonly rounds: Rounds;
  /** Aborted when the process begins to stop. */
  readonly stopping: AbortSignal;
  readonly log: ProblemLog;
  readonly baseUrl: string;
}

export interface StreamCall {
  readonly reply: EventsReply;
  readonly metered: MeteredCall;
  /** Throws the refusal of a caller whose rights have changed. */
  recheck(caller: Caller): Promise<void>;
}

/** Clients of a stopping process do not all come back at once. */
const RETRY_MS = { least: 1000, most: 4000 };

const open = metrics.getMeter('racing-odds/api').createUpDownCounter('racing.streams.open', {
  description: 'Streams of changes that are open, those of the board apart',
});

export async function respondStream(ctx: Context, deps: StreamDeps, call: StreamCall): Promise<void> {
  if (ctx.method === 'HEAD') {
    await stateBalance(ctx, deps.meter, 200);
    writeEventHead(ctx);
    ctx.res.end();
    return;
  }
  if (deps.stopping.aborted) throw stopping();
  const stream = streamOf(ctx, deps, call);
  const connection: EventConnection = new EventConnection(ctx, deps.bounds, () =>
    stream.problem(tooSlow(), connection),
  );
  const lastEventId = ctx.get('Last-Event-ID') || null;
  await stream.place.take(lastEventId && connectionOf(lastEventId));
  connection.onEnd(stream.place.leave);
  try {
    const sink = {
      event: (bytes: Buffer, framed?: Buffer): boolean => connection.send(bytes, framed),
      lost: () => connection.end(stream.problem(lost(), connection)),
    };
    const opened = await call.reply.follow({ lastEventId, connection: stream.id }, sink);
    connection.onEnd(opened.leave);
    await stream.charge(call.metered.setHeader);
    await stateBalance(ctx, deps.meter, 200);
    watch(connection, deps, stream, opened.heartbeat);
    const retry = retryBytes(randomInt(RETRY_MS.least, RETRY_MS.most));
    await connection.begin([retry, ...opened.opening]);
  } catch (error) {
    // Nothing was sent.
    connection.end();
    await stream.place.neverBegan();
    throw error;
  }
}

type Stream = ReturnType<typeof streamOf>;

function streamOf(ctx: Context, deps: StreamDeps, { metered, recheck }: StreamCall) {
  const id = randomUUID();
  const key = openKey(ctx, deps.callers, metered.caller, recheck);
  const minutes = minutesOf(metered, id, deps);
  const { accountId, keyId } = metered.caller;
  const stream = { accountId, keyId, connection: id };
  const place = paidPlace({ stream, minutes, leases: deps.leases, caller: key.caller });

  return {
    id,
    place,
    /** For how many milliseconds its key and its minute need no look elsewhere; 0 or less: one of them does. */
    settledForMs: () => Math.min(key.currentForMs(), place.paidForMs()),
    charge: (setHeader?: MeteredCall['setHeader']) => place.charge(key.caller(), setHeader),
    async checkKey() {
      if (await key.hasOtherRights()) throw changed();
    },
    /**
     * The event `error`, with the problem that ends the stream. The minute of an incomplete state is refunded, unless
     * the client is refused.
     */
    problem(error: unknown, { hasOpened }: Pick<EventConnection, 'hasOpened'>): Buffer {
      const refusal = error instanceof ExpectedRefusal ? error : refusalOf(ctx, error, deps.log);
      if (!hasOpened && refusal.status >= 500) void place.giveBack();
      return eventBytes('error', JSON.stringify(problemBody(refusal, String(ctx.state.requestId), deps.baseUrl)));
    },
  };
}

/** Until the connection ends. */
function watch(connection: EventConnection, deps: StreamDeps, stream: Stream, heartbeat: () => Chunk): void {
  const leave = deps.rounds.join(lookOf(connection, deps, stream, heartbeat), deps.callers.changes);
  // Clients resume at another process: the minute that they pay for there is not charged here.
  const stop = async (): Promise<void> => {
    await stream.place.giveBack();
    connection.end();
  };
  deps.stopping.addEventListener('abort', stop);
  open.add(1);
  connection.onEnd(() => {
    open.add(-1);
    leave();
    deps.stopping.removeEventListener('abort', stop);
  });
  if (deps.stopping.aborted) void stop();
}

/** Until the next moment at which it may have something to do. */
function lookOf(connection: EventConnection, deps: StreamDeps, stream: Stream, heartbeat: () => Chunk): Look {
  let isLooking = false;
  const { isDue, nextMs } = dueTimes({ lease: deps.renewMs, beat: deps.heartbeatMs });
  const failed = (error: unknown): void => {
    isLooking = false;
    if (connection.isOpen) connection.end(stream.problem(error, connection));
  };
  const looked = (): void => {
    isLooking = false;
  };
  const settle = async (renews: boolean): Promise<void> => {
    await stream.checkKey();
    if (connection.isOpen) await stream.charge();
    // A lease renewed after the end would have no effect.
    if (connection.isOpen && renews) await stream.place.renew();
  };
  const look = (nowMs: number): number => {
    const settledMs = stream.settledForMs();
    const [isSettled, renews] = [settledMs > 0, isDue('lease', nowMs)];
    if (!isSettled || renews) {
      isLooking = true;
      (isSettled ? stream.place.renew() : settle(renews)).then(looked, failed);
    }
    if (isDue('beat', nowMs)) {
      const { bytes, framed } = heartbeat();
      connection.send(bytes, framed);
    }
    return isSettled ? Math.min(nowMs + settledMs, nextMs()) : nowMs;
  };
  return (nowMs) => {
    if (isLooking) return nowMs;
    try {
      return look(nowMs);
    } catch (error) {
      failed(error);
      return nowMs;
    }
  };
}

const soon = { retry_after_seconds: 1 };

const changed = (): AppError =>
  new ExpectedRefusal('unavailable', 'The rights of this key changed. Connect again with `Last-Event-ID`.', soon);

const tooSlow = (): AppError =>
  new ExpectedRefusal(
    'unavailable',
    'This connection takes events more slowly than they come. Connect again with `Last-Event-ID`.',
    soon,
  );

const lost = (): AppError =>
  new ExpectedRefusal(
    'unavailable',
    'The changes of this stream could not be read. Connect again with `Last-Event-ID`.',
    soon,
  );

export const stopping = (): AppError =>
  new ExpectedRefusal('unavailable', 'This process of the service is stopping. Send the request again.', soon);
