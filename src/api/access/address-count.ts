// How many requests each address sent, in token buckets that refill evenly over a minute. All API processes share the buckets in Redis; while
// Redis is unavailable, each process uses its own.
import { LRUCache } from 'lru-cache';
import type { AddressBudget } from '../../store/redis/address-budget';

const MOST_ADDRESSES = 50_000;

/** Never rejects. `shared` null: only this process counts. */
export function createAddressCount(shared: AddressBudget | null, wallMs: () => number = Date.now): AddressBudget {
  const own = ownBuckets(wallMs);
  return {
    async take(address, perMinute) {
      const ownWaitMs = own.take(address, perMinute);
      return shared ? shared.take(address, perMinute).catch(() => ownWaitMs) : ownWaitMs;
    },
  };
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

function ownBuckets(wallMs: () => number) {
  const buckets = new LRUCache<string, Bucket>({ max: MOST_ADDRESSES });
  return {
    take(address: string, perMinute: number): number {
      const [key, atMs] = [`${perMinute} ${address}`, wallMs()];
      const last = buckets.get(key) ?? { tokens: perMinute, atMs };
      const tokens = Math.min(perMinute, last.tokens + ((atMs - last.atMs) * perMinute) / 60_000);
      buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, atMs });
      return tokens < 1 ? Math.ceil(((1 - tokens) * 60_000) / perMinute) : 0;
    },
  };
}
