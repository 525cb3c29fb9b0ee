// The circuit breaker of one book: opens when the book cannot be reached or read several times in a row, then admits
// one trial call at growing intervals. A reply about one race (not found, refused) shows that the book works and never
// opens it.
import { CircuitState, ConsecutiveBreaker, circuitBreaker, DelegateBackoff, handleWhenResult } from 'cockatiel';
import type { CallEnd, FeedFailure } from '../feed';

export type BreakerState = 'closed' | 'open' | 'half_open';

export interface Breaker {
  readonly state: BreakerState;
  /** Wall milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Milliseconds until a call may try; 0 means now. */
  waitMs(): number;
  /** Null if refused. Otherwise the caller must report once how the call ended. */
  enter(): ((end: CallEnd) => void) | null;
}

export interface BreakerOptions {
  /** Consecutive failures that open it. */
  readonly failures?: number;
  /** First and longest pause before a trial call. Wall. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

/** Retry delay of the other calls while a trial call is in flight. */
const TRYING_MS = 1000;

/** A trial this late is admitted, whatever the library counts. */
const OVERDUE_MS = 1000;

/** Failures to reach or read the book. A 429 has its own pause. */
const TRANSPORT: ReadonlySet<FeedFailure> = new Set<FeedFailure>([
  'timeout',
  'network',
  'blocked',
  'http_error',
  'wrong_content_type',
  'malformed',
  'too_large',
]);

function brokenBy({ failure, status, retryAfterMs, calledOff }: CallEnd): boolean {
  if (failure === null) return false;
  // A trial that we cancelled has not succeeded.
  if (calledOff) return true;
  if (failure === 'rate_limited') return retryAfterMs === null;
  if (failure === 'http_error') return status === null || status >= 500;
  return TRANSPORT.has(failure);
}

const STATES: Record<CircuitState, BreakerState> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.Open]: 'open',
  [CircuitState.HalfOpen]: 'half_open',
  [CircuitState.Isolated]: 'open',
};

export function createBreaker(options: BreakerOptions = {}): Breaker {
  const { failures = 5, firstPauseMs = 2000, longestPauseMs = 20_000 } = options;
  let sinceMs = Date.now();
  /** On the monotonic clock. */
  let triesAtMs = 0;
  // The library does not expose the time of the next trial, so it is recorded where the pause is chosen.
  const pause = ({ attempt }: { attempt: number }): number => {
    const ms = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
    triesAtMs = performance.now() + ms;
    return ms;
  };
  const policy = circuitBreaker(
    handleWhenResult((end) => brokenBy(end as CallEnd)),
    { breaker: new ConsecutiveBreaker(failures), halfOpenAfter: new DelegateBackoff(pause) },
  );
  policy.onStateChange(() => {
    sinceMs = Date.now();
  });
  const waitMs = (): number => {
    if (policy.state === CircuitState.HalfOpen) return TRYING_MS;
    return policy.state === CircuitState.Open ? Math.max(0, triesAtMs - performance.now()) : 0;
  };
  return {
    get state() {
      return STATES[policy.state];
    },
    get sinceMs() {
      return sinceMs;
    },
    waitMs,
    enter() {
      if (waitMs() > 0) return null;
      let ended: ((end: CallEnd) => void) | null = null;
      // Calls `fn` immediately if admitted, and never otherwise.
      const tryOnce = (): void => {
        policy.execute(() => new Promise<CallEnd>((resolve) => (ended = resolve))).catch(() => undefined);
      };
      const trial = policy.state === CircuitState.Open;
      tryOnce();
      // The library counts the pause by the system clock: one that was set back would prolong it by as much.
      if (policy.state === CircuitState.Open && performance.now() - triesAtMs > OVERDUE_MS) {
        policy.isolate().dispose();
        tryOnce();
      }
      const left = ended as ((end: CallEnd) => void) | null;
      return left && ((end) => (end.calledOff && !trial ? undefined : left(end)));
    },
  };
}
