// Values of the pages, computed at most once in `ttlMs` of race time. In this process only.
import { createCache } from '../../cache';

interface Timed<T> {
  readonly value: T;
  readonly computedAtMs: number;
  /** Computed for this call, not for an earlier one. */
  readonly fresh: boolean;
}

export interface TimedCache<T> {
  get(key: string, nowMs: number, compute: () => Promise<T>): Promise<Timed<T>>;
}

export function timedCache<T>(ttlMs: number, most = 500): TimedCache<T> {
  const cache = createCache<{ readonly value: T; readonly computedAtMs: number }>(most);
  return {
    async get(key, nowMs, compute) {
      const isFresh = (one: { computedAtMs: number }) => nowMs - one.computedAtMs < ttlMs && nowMs >= one.computedAtMs;
      const { value, fresh } = await cache.get(key, isFresh, async () => ({
        value: await compute(),
        computedAtMs: nowMs,
      }));
      return { ...value, fresh };
    },
  };
}
