// What a registry's failed reply asks of whoever reads it, the same for fields before a race and results after it: behind a wall nothing more is
// asked, it would only raise it; a 429 or any Retry-After is a pause before anything else is.
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { FeedReply } from '../../feeds/feed';

export type RegistryFailure = Extract<FeedReply<unknown>, { kind: 'failed' }>;

/** `failed`: of this question alone. */
export type FailureKind = 'walled' | 'paused' | 'failed';

export function failureKind({ reason, retryAfterMs }: RegistryFailure): FailureKind {
  if (reason === 'blocked') return 'walled';
  return reason === 'rate_limited' || retryAfterMs !== null ? 'paused' : 'failed';
}

/** A site that is away or wants a pause is asked again soon, not in two hours. `inMs`: when; undefined: as the caller's retries go. */
export function registryUnavailable(message: string, inMs?: number): ApplicationFailure {
  const category = ApplicationFailureCategory.BENIGN;
  return ApplicationFailure.create({ message, type: 'RegistryAway', nextRetryDelay: inMs, category });
}
