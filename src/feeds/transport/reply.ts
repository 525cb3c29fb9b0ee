// What a mapper hands back, and how it becomes a FeedReply. Mappers are pure: no clock, no network, null when the whole reply is unreadable.
import type { Instant } from '../../domain/race/race';
import type { Dropped, FeedReply } from '../feed';
import type { HttpReply } from './http';

export interface Mapped<T> {
  readonly value: T;
  /** The book's own stamp of this reply, null where it sends none. */
  readonly bookAt: Instant | null;
  readonly dropped: Dropped;
}

/** A reply whose body could not be mapped is a failure like any other, and its validator is not kept (see `Validators`). */
export function feedReply<T>(reply: HttpReply<Mapped<T>>): FeedReply<T> {
  if (reply.kind !== 'ok') return reply;
  const { value, bookAt, dropped } = reply.read;
  return { kind: 'ok', value, observedAt: reply.observedAt, bookAt, dropped };
}

/** An id that is none of the book's: nothing is sent. */
export const notOurs = (what: string, nowMs: number): Extract<FeedReply<never>, { kind: 'failed' }> => ({
  kind: 'failed',
  reason: 'not_found',
  detail: `not a ${what} race id`,
  retryAfterMs: null,
  observedAt: new Date(nowMs).toISOString(),
});
