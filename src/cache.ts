// A bounded cache of one process with single flight: callers that need a key while it is being computed share that
// computation. The least recently used key is evicted first, and callers that wait for it still get it. Never caches a
// failure. The caller decides what is fresh enough, because ages count by race time, by the wall or by another
// process's clock.
import { LRUCache } from 'lru-cache';

interface Computed<T> {
  readonly value: T;
  /** Computed for this call, not for an earlier one. */
  readonly fresh: boolean;
}

export interface Cache<T> {
  /** The value of `key`, if it `isGood`; otherwise what `compute` resolves to. */
  get(key: string, isGood: (value: T) => boolean, compute: () => Promise<T>): Promise<Computed<T>>;
  /** Drops the values that are no longer good. */
  prune(isGood: (value: T) => boolean): void;
  /** Drops all values. Running computations still reach their callers, but are not cached. */
  clear(): void;
}

/**
 * The values of the most recently used keys, at most this many. By their size: with `max` it would allocate the room
 * for all of them at once.
 */
export const createBoundedMap = <T extends {}>(most: number): LRUCache<string, T> =>
  new LRUCache<string, T>({ maxSize: most, sizeCalculation: () => 1 });

export interface Room<T> {
  readonly bytes: number;
  bytesOf(value: T): number;
}

/** Keeps at most `max` values, and of values with a size no more than there is room for. */
export function createCache<T extends object>(max: number, room?: Room<T>): Cache<T> {
  const cache = new LRUCache<string, T, () => Promise<T>>({
    max,
    ...(room && { maxSize: room.bytes, sizeCalculation: (value) => Math.max(1, room.bytesOf(value)) }),
    ignoreFetchAbort: true,
    fetchMethod: (_key, _old, { context }) => context(),
  });
  return {
    async get(key, isGood, compute) {
      const cached = cache.get(key);
      if (cached !== undefined && isGood(cached)) return { value: cached, fresh: false };
      let fresh = false;
      const context = (): Promise<T> => {
        fresh = true;
        return compute();
      };
      // A value that another call computed may not be good for this one: then the waiting calls share one more
      // computation.
      const shared = await cache.fetch(key, { context, forceRefresh: true });
      if (fresh || isGood(shared!)) return { value: shared!, fresh };
      const next = cache.get(key);
      const again = next !== undefined && isGood(next) ? next : await cache.fetch(key, { context, forceRefresh: true });
      return { value: again!, fresh };
    },
    prune(isGood) {
      for (const [key, value] of cache.entries()) if (!isGood(value)) cache.delete(key);
    },
    clear: () => cache.clear(),
  };
}
