// The return value of a mapper, and its conversion to a FeedReply. Mappers are pure: no clock, no network, null if the
// whole reply is unreadable.
import type { Instant } from '../../domain/race/race';
import type { Dropped, FeedReply } from '../feed';
import type { HttpReply } from './http';

export interface Mapped<T> {
  readonly value: T;
  /** The book's own timestamp of this reply; null if it sends none. */
  readonly bookAt: Instant | null;
  readonly dropped: Dropped;
}

/** A reply that could not be mapped is already a failure here, and its ETag is not cached (see `Validators`). */
export function feedReply<T>(reply: HttpReply<Mapped<T>>): FeedReply<T> {
  if (reply.kind !== 'ok') return reply;
  const { value, bookAt, dropped } = reply.read;
  return { kind: 'ok', value, observedAt: reply.observedAt, bookAt, dropped };
}

/** The reply for an id of another format: nothing is sent. */
export const notOurs = (what: string, nowMs: number): Extract<FeedReply<never>, { kind: 'failed' }> => ({
  kind: 'failed',
  reason: 'not_found',
  detail: `not a ${what} race id`,
  retryAfterMs: null,
  observedAt: new Date(nowMs).toISOString(),
});
