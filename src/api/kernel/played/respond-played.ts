// Serves one replay: counts it, charges all of it, sends its events as fast as its client reads them, and checks its
// key and its place every second.

import { randomInt, randomUUID } from 'node:crypto';
import type { Context } from 'koa';
import Negotiator from 'negotiator';
import { ExpectedRefusal } from '../../../errors';
import type { PaidPlays } from '../../../store/redis/paid-plays';
import { stateBalance } from '../charging/uncharged';
import type { Meter, MeteredCall } from '../endpoint/meter';
import { ClientGone } from '../http/client-gone';
import { problemBody, refusalOf } from '../http/problem';
import { PLAY_TYPES, writeEventHead } from '../http/response/event-connection';
import type { OpenedPlay, PlayedEvent, PlayedReply, PlayFormat, PlayRequest } from '../http/response/reply';
import { dueTimes } from '../stream/due-times';
import { type OpenKey, openKey } from '../stream/open-key';
import { type StreamDeps, stopping } from '../stream/respond-stream';
import type { GivingWay } from '../work/giving-way';
import type { WorkLimits } from '../work/work-limits';
import { findPlay, type PaidPlay } from './paid-play';
import { PlayConnection } from './play-connection';

export interface PlayDeps extends Omit<StreamDeps, 'wallMs' | 'elapsedMs' | 'meter'> {
  readonly meter: Pick<Meter, 'balance' | 'charge' | 'precheck'>;
  /** Null: nothing goes on for free. */
  readonly plays: PaidPlays | null;
  readonly stalledAfterMs: number;
  readonly givingWay: GivingWay;
  readonly work: Pick<WorkLimits, 'requireFree' | 'spend'>;
}

export interface PlayCall {
  readonly reply: PlayedReply;
  readonly metered: MeteredCall;
  /** Throws the refusal of a caller whose rights have changed. */
  recheck(caller: MeteredCall['caller']): Promise<void>;
}

const LOOK_MS = 1000;
/** Clients of a stopping process do not all come back at once. */
const RETRY_MS = { least: 1000, most: 4000 };

export async function respondPlayed(ctx: Context, deps: PlayDeps, call: PlayCall): Promise<void> {
  const { reply, metered } = call;
  const format = reply.format ?? acceptedFormat(ctx);
  if (reply.format === undefined) metered.setHeader('Vary', 'Accept, Accept-Encoding');
  if (ctx.method === 'HEAD') {
    await stateBalance(ctx, deps.meter, 200);
    writeEventHead(ctx, PLAY_TYPES[format]);
    ctx.res.end();
    return;
  }
  if (deps.stopping.aborted) throw stopping();
  const lastEventId = ctx.get('Last-Event-ID') || (reply.lastEventId ?? null);
  const request = reply.play(lastEventId);
  const bounds = { stalledAfterMs: deps.stalledAfterMs, lingerMs: deps.bounds.lingerMs };
  const connection = new PlayConnection(ctx, format, bounds);
  const key = openKey(ctx, deps.callers, metered.caller, call.recheck);
  const { accountId, keyId } = metered.caller;
  const stream = { accountId, keyId, connection: randomUUID() };
  const paid = await findPlay({ stream, leases: deps.leases, plays: deps.plays, caller: key.caller }, request);
  connection.onEnd(() => paid.leave(connection.readUpTo));
  try {
    const { opened, giveBack } = await paidOrLeft(ctx, deps, { request, metered, paid, connection });
    await played(ctx, deps, { connection, key, paid, opened, giveBack });
  } catch (error) {
    connection.end();
    throw error;
  }
}

/** Also gives its place back if its client left meanwhile. */
async function paidOrLeft(...[ctx, deps, paying]: Parameters<typeof payFor>): ReturnType<typeof payFor> {
  try {
    return await payFor(ctx, deps, paying);
  } finally {
    if (!paying.connection.isOpen) paying.paid.leave(paying.connection.readUpTo);
  }
}

interface Paying extends Pick<Playing, 'connection' | 'paid'> {
  readonly request: PlayRequest;
  readonly metered: MeteredCall;
}

/**
 * Counts and charges what is not paid yet. A new play takes its place before its races are counted; one that goes on
 * after all that may refuse it, because its place ends the connection that plays it now.
 */
async function payFor(ctx: Context, deps: PlayDeps, { request, metered, paid, connection }: Paying) {
  // Whether it is free or refused is known only after the counting.
  deps.work.requireFree(ctx);
  if (!paid.goesOn) {
    await paid.takePlace();
    deps.meter.precheck({ ...metered, credits: request.leastCredits });
  }
  const beganMs = performance.now();
  const opened = await request.open(paid.before);
  deps.work.spend(ctx, performance.now() - beganMs);
  if (!connection.isOpen) throw new ClientGone();
  const credits = paid.due(opened.bill);
  const giveBack = credits > 0 ? await deps.meter.charge({ ...metered, credits }) : undefined;
  try {
    if (paid.goesOn) await paid.takePlace();
    await paid.begin(opened.bill, opened.beginId(paid.play));
    await stateBalance(ctx, deps.meter, 200);
  } catch (error) {
    if (await paid.forget()) giveBack?.();
    throw error;
  }
  return { opened, giveBack };
}

const NDJSON = 'application/x-ndjson';

/** NDJSON only if `Accept` prefers it. */
function acceptedFormat(ctx: Context): PlayFormat {
  const { accept } = ctx.req.headers;
  const types = accept === undefined ? [] : new Negotiator({ headers: { accept } }).mediaTypes();
  return types[0]?.toLowerCase() === NDJSON ? 'ndjson' : 'sse';
}

interface Playing {
  readonly connection: PlayConnection;
  readonly key: OpenKey;
  readonly paid: PaidPlay;
  readonly opened: OpenedPlay;
  /** Refunds the charge; undefined: there was none. */
  readonly giveBack: (() => void) | undefined;
}

/** From the first event to the last. */
async function played(ctx: Context, deps: PlayDeps, playing: Playing): Promise<void> {
  const { connection, paid, opened } = playing;
  connection.begin(opened.beginId(paid.play), randomInt(RETRY_MS.least, RETRY_MS.most));
  watch(ctx, deps, playing);
  const work = deps.givingWay.enter();
  try {
    for await (const events of opened.events(paid.play, connection.signal)) {
      await connection.send(events);
      if (!connection.isOpen) return;
      await work.rest();
    }
    connection.end();
  } catch (error) {
    if (!connection.isOpen) return;
    await refund(playing);
    connection.end(problemEvent(ctx, deps, error));
  } finally {
    work.end();
  }
}

/** After the first event the client goes on for free; before it, it gets its credits back, and its id is not paid. */
async function refund({ connection, paid, giveBack }: Playing): Promise<void> {
  if (giveBack && !connection.hasSent && (await paid.forget())) giveBack();
}

function problemEvent(ctx: Context, { log, baseUrl }: PlayDeps, error: unknown): PlayedEvent {
  const refusal = error instanceof ExpectedRefusal ? error : refusalOf(ctx, error, log);
  return { event: 'error', data: JSON.stringify(problemBody(refusal, String(ctx.state.requestId), baseUrl)) };
}

/** Until the connection ends. */
function watch(ctx: Context, deps: PlayDeps, playing: Playing): void {
  const { connection, key, paid } = playing;
  let isLooking = false;
  const { isDue } = dueTimes({ lease: deps.renewMs, beat: deps.heartbeatMs });
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      await key.hasOtherRights();
      if (connection.isOpen) await paid.keep(connection.readUpTo);
      if (!connection.isOpen) return;
      const nowMs = performance.now();
      if (isDue('lease', nowMs)) await paid.takePlace();
      if (isDue('beat', nowMs)) connection.beat();
    } catch (error) {
      if (connection.isOpen) connection.end(problemEvent(ctx, deps, error));
    } finally {
      isLooking = false;
    }
  };
  const looks = setInterval(look, Math.min(LOOK_MS, deps.heartbeatMs, deps.renewMs)).unref();
  // Clients go on at another process.
  const stop = (): void => {
    void refund(playing);
    connection.end();
  };
  deps.stopping.addEventListener('abort', stop);
  connection.onEnd(() => {
    clearInterval(looks);
    deps.stopping.removeEventListener('abort', stop);
  });
  if (deps.stopping.aborted) stop();
}
