// The circuit breaker before one book: opens when the book cannot be reached or cannot be read several times in a row, then lets one
// call try, ever more rarely. What the book says of one race (not found, refused) is an answer and never opens it.
import { CircuitState, ConsecutiveBreaker, circuitBreaker, DelegateBackoff, handleWhenResult } from 'cockatiel';
import type { CallEnd, FeedFailure } from '../feed';

export type BreakerState = 'closed' | 'open' | 'half_open';

export interface Breaker {
  readonly state: BreakerState;
  /** Wall milliseconds since the epoch. */
  readonly sinceMs: number;
  /** How long until a call may try; 0: now. */
  waitMs(): number;
  /** Null: refused. Else whoever may go says once how the call ended. */
  enter(): ((end: CallEnd) => void) | null;
}

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failures?: number;
  /** First and longest pause before a call may try. Wall. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
}

/** While one call tries, the others come back this much later. */
const TRYING_MS = 1000;

/** The book could not be reached or read. A 429 is dealt with by its pause. */
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
  // What we ended ourselves proves nothing: the call that tries has not succeeded.
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
  let triesAtMs = 0;
  // The library keeps to itself when it will let a call try: it is noted where the pause is chosen.
  const pause = ({ attempt }: { attempt: number }): number => {
    const ms = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
    triesAtMs = Date.now() + ms;
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
    return policy.state === CircuitState.Open ? Math.max(0, triesAtMs - Date.now()) : 0;
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
      const trial = policy.state === CircuitState.Open;
      // Calls `fn` at once when it lets us in, and not at all otherwise.
      policy.execute(() => new Promise<CallEnd>((resolve) => (ended = resolve))).catch(() => undefined);
      const left = ended as ((end: CallEnd) => void) | null;
      return left && ((end) => (end.calledOff && !trial ? undefined : left(end)));
    },
  };
}
