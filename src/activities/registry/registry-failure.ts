// How a reader reacts to a registry's failed reply, before a race and after it alike. Behind a wall it makes no further
// call, which would only prolong the block. After a 429, or any Retry-After, it pauses.
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { FeedReply } from '../../feeds/feed';
import { withoutStack } from '../wait';

export type RegistryFailure = Extract<FeedReply<unknown>, { kind: 'failed' }>;

/** `failed`: only this call failed. */
export type FailureKind = 'walled' | 'paused' | 'failed';

export function failureKind({ reason, retryAfterMs }: RegistryFailure): FailureKind {
  if (reason === 'blocked') return 'walled';
  return reason === 'rate_limited' || retryAfterMs !== null ? 'paused' : 'failed';
}

/** Pause after a 429 without Retry-After. */
export const LIMITED_FOR_MS = 60_000;

/**
 * Fails the attempt so that the registry is read again soon, not in two hours. `inMs`: delay; undefined: the retry
 * policy's.
 */
export function registryUnavailable(message: string, inMs?: number): ApplicationFailure {
  const category = ApplicationFailureCategory.BENIGN;
  return withoutStack(ApplicationFailure.create({ message, type: 'RegistryAway', nextRetryDelay: inMs, category }));
}
