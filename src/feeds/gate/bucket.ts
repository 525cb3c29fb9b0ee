// A token bucket in memory, with the same arithmetic as the shared one (`store/redis/rate-budget.ts`): it refills over
// time and reserves a floor for more urgent calls. Never waits.

/** How often a book may be called, whether calls are counted here or in the shared budget. */
export interface Rate {
  readonly perSecond: number;
  /** Calls at once after a quiet period. */
  readonly burst: number;
}

export interface Bucket {
  lease(rate: Rate, floor: number, wanted: number, nowMs: number): { granted: number; waitMs: number };
}

/** Starts empty: a worker that falls back on it has just spent tokens from the shared budget. */
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
