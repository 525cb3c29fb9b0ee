// A token bucket in memory, by the same arithmetic as the shared one (`store/redis/rate-budget.ts`): fills by the clock, keeps a floor for
// calls that are worth more. Never waits.

/** How often a book may be called, wherever the calls are counted. */
export interface Rate {
  readonly perSecond: number;
  /** At once, after a quiet spell. */
  readonly burst: number;
}

export interface Bucket {
  lease(rate: Rate, floor: number, wanted: number, nowMs: number): { granted: number; waitMs: number };
}

/** Starts empty: whoever falls back on it has just spent from another. */
export function createBucket(startMs: number): Bucket {
  let tokens = 0;
  let atMs = startMs;
  return {
    lease({ perSecond, burst }, floor, wanted, nowMs) {
      tokens = Math.min(burst, tokens + (Math.max(0, nowMs - atMs) * perSecond) / 1000);
      atMs = nowMs;
      const granted = Math.max(0, Math.min(wanted, Math.floor(tokens - floor)));
      tokens -= granted;
      return { granted, waitMs: granted > 0 ? 0 : Math.ceil(((floor + 1 - tokens) * 1000) / perSecond) };
    },
  };
}
