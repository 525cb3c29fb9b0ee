// One bounded call to one book: a book that hangs becomes a timeout, a connector that throws becomes a malformed reply.
import { setTimeout as delay } from 'node:timers/promises';
import { bookmaker } from '../../domain/bookmakers';
import type { Feed, FeedCall, FeedFailure, FeedReply } from '../../feeds/feed';
import { within } from '../../feeds/transport/deadline';
import { activitySignal } from '../activity-context';
import { type ActivityDeps, instantNow } from '../deps';

type CallDeps = Pick<ActivityDeps, 'feeds' | 'log' | 'now' | 'deadlineOf'>;

export interface FeedQuery<T> {
  readonly bookmakerKey: string;
  readonly send: (feed: Feed, call: FeedCall) => Promise<FeedReply<T>>;
  readonly call?: FeedCall;
  /** Wall. Default: the book's own for one race. */
  readonly deadlineMs?: number;
  /**
   * Waits for budget for as long as the deadline, and then has the full deadline: for calls that are not repeated soon.
   */
  readonly patient?: boolean;
}

/** Whether our own rules stopped the call: nothing was sent to the book. */
export const isRefusal = (reason: FeedFailure): boolean => reason === 'over_budget' || reason === 'breaker_open';

export const deadlineOf = (deps: Pick<ActivityDeps, 'deadlineOf'>, bookmakerKey: string): number =>
  deps.deadlineOf?.(bookmakerKey) ?? bookmaker(bookmakerKey)?.deadlineMs ?? 5000;

/** Throws only if there is no feed of that name. */
export async function callFeed<T>(deps: CallDeps, query: FeedQuery<T>): Promise<FeedReply<T>> {
  const { bookmakerKey, send, call = {}, deadlineMs = deadlineOf(deps, bookmakerKey), patient = false } = query;
  const feed = deps.feeds.get(bookmakerKey);
  if (!feed) throw new Error(`no feed for '${bookmakerKey}'`);
  const until = performance.now() + deadlineMs;
  const caller = call.signal ?? activitySignal();
  try {
    for (;;) {
      // A call with only the rest of a deadline would time out, and count against the book.
      const reply = await within(deadlineMs, caller, (signal) => send(feed, { ...call, signal }));
      const waitMs = patient ? waitOf(reply) : null;
      if (waitMs === null || performance.now() + waitMs >= until) return reply;
      await delay(waitMs, undefined, { signal: caller }).catch(() => undefined);
      if (caller?.aborted) return reply;
    }
  } catch (error) {
    deps.log.error({ err: error, book: bookmakerKey }, 'a connector threw');
    const detail = 'the connector could not take the reply';
    return { kind: 'failed', reason: 'malformed', detail, retryAfterMs: null, observedAt: instantNow(deps) };
  }
}

const waitOf = (reply: FeedReply<unknown>): number | null =>
  reply.kind === 'failed' && reply.reason === 'over_budget' ? reply.retryAfterMs : null;
