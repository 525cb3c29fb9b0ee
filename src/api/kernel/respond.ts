// Charges a call and sends its response, a stream or a part of a file: only responses with content cost credits (D7,
// D34, D47).
import type { Context } from 'koa';
import { ExpectedRefusal } from '../../errors';
import { stateBalance } from './charging/uncharged';
import type { Meter, MeteredCall } from './endpoint/meter';
import { isUnchanged, partOf } from './http/response/file';
import type { OpenStreams } from './http/response/open-streams';
import {
  type PreparedResponse,
  prepareResponse,
  send,
  sendHead,
  statusOf,
  type Tagging,
} from './http/response/prepared';
import { type FileReply, isStreamed, type OpenedBody, type Reply, type StreamedReply } from './http/response/reply';
import { opened, sendStream, sendUnchanged } from './http/response/streamed';

export interface RespondDeps {
  readonly meter: Meter;
  readonly openStreams: OpenStreams;
  /** Wall time. */
  readonly stalledAfterMs: number;
  /** Aborted before the server closes connections that are in use. */
  readonly cutOff: AbortSignal;
}

/**
 * Charges the call, then sends the response: only a 200 with a body costs credits (D7), and only if the server can
 * still send it.
 */
export async function respond(
  ctx: Context,
  { meter, cutOff }: Pick<RespondDeps, 'meter' | 'cutOff'>,
  metered: MeteredCall | null,
  response: PreparedResponse,
  okStatus?: 202,
): Promise<void> {
  const status = okStatus ?? statusOf(ctx, response);
  if (metered && status === 200 && ctx.method !== 'HEAD') {
    if (cutOff.aborted) throw stopping();
    const giveBack = await meter.charge(metered);
    if (cutOff.aborted) {
      giveBack?.();
      throw stopping();
    }
  }
  await stateBalance(ctx, meter, status);
  await send(ctx, response, status);
}

const stopping = (): ExpectedRefusal =>
  new ExpectedRefusal('unavailable', 'This process of the service is stopping. Send the request again.', {
    retry_after_seconds: 1,
  });

/**
 * The headers that a response has whatever its content: without length and tag, which only the work would show (RFC
 * 9110 9.3.2).
 */
export async function respondHead(
  ctx: Context,
  { meter }: Pick<RespondDeps, 'meter'>,
  isRevalidated: boolean,
): Promise<void> {
  await stateBalance(ctx, meter, 200);
  sendHead(ctx, isRevalidated);
}

/** Answers with a body or with a stream. */
export async function respondAs(
  ctx: Context,
  deps: RespondDeps,
  metered: MeteredCall | null,
  reply: Reply<unknown>,
  tagging: Tagging,
  okStatus?: 202,
): Promise<void> {
  if (!isStreamed(reply)) return respond(ctx, deps, metered, prepareResponse(reply, tagging), okStatus);
  await respondWith(ctx, deps, metered, reply);
}

/** Sends a stream, which is charged when its first bytes are there and refunded if the server breaks it (D34). */
async function respondWith(
  ctx: Context,
  deps: RespondDeps,
  metered: MeteredCall | null,
  reply: StreamedReply,
): Promise<void> {
  if (ctx.method === 'HEAD') {
    await stateBalance(ctx, deps.meter, 200);
    await sendStream(ctx, reply, null);
    return;
  }
  const leave = metered && deps.openStreams.enter(metered.caller);
  try {
    const body = await opened(ctx, reply);
    let giveBack: Awaited<ReturnType<Meter['charge']>>;
    try {
      if (deps.cutOff.aborted) throw stopping();
      if (metered) giveBack = await deps.meter.charge(metered);
      await stateBalance(ctx, deps.meter, 200);
    } catch (error) {
      body.source.destroy();
      throw error;
    }
    await sendOrUndo(ctx, deps, reply, body, () => giveBack?.());
  } finally {
    leave?.();
  }
}

/**
 * `undo`: refunds a stream that the server breaks. At a cut-off it is called at once, because the process ends when all
 * known charges are refunded.
 */
async function sendOrUndo(
  ctx: Context,
  { stalledAfterMs, cutOff }: RespondDeps,
  reply: StreamedReply,
  body: OpenedBody,
  undo: () => void,
): Promise<void> {
  if (cutOff.aborted) undo();
  cutOff.addEventListener('abort', undo);
  try {
    if ((await sendStream(ctx, reply, body, stalledAfterMs)) === 'broken') undo();
  } finally {
    cutOff.removeEventListener('abort', undo);
  }
}

/** A version that the client already has is free, and this is decided before the balance is checked (D47). */
export async function respondFile(
  ctx: Context,
  deps: RespondDeps,
  metered: MeteredCall | null,
  file: FileReply,
): Promise<void> {
  // A form names no version and no part (RFC 9110 13, 14).
  const sent = ctx.method === 'POST' ? {} : ctx.req.headers;
  const isNew = !isUnchanged(sent, file);
  const reply = partOf(ctx.method === 'HEAD' || !isNew ? {} : sent, file);
  if (isNew) return respondWith(ctx, deps, metered && { ...metered, download: file.name }, reply);
  await stateBalance(ctx, deps.meter, 304);
  sendUnchanged(ctx, reply);
}
