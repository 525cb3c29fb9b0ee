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
    async giveBack(address, perMinute) {
      own.giveBack(address, perMinute);
      await shared?.giveBack(address, perMinute).catch(() => undefined);
    },
  };
}

interface Bucket {
  readonly tokens: number;
  readonly atMs: number;
}

function ownBuckets(wallMs: () => number) {
  const buckets = new LRUCache<string, Bucket>({ max: MOST_ADDRESSES });
  const keyOf = (address: string, perMinute: number): string => `${perMinute} ${address}`;
  const tokensOf = (key: string, perMinute: number, nowMs: number): number => {
    const { tokens, atMs } = buckets.get(key) ?? { tokens: perMinute, atMs: nowMs };
    return Math.min(perMinute, tokens + ((nowMs - atMs) * perMinute) / 60_000);
  };
  return {
    take(address: string, perMinute: number): number {
      const [key, atMs] = [keyOf(address, perMinute), wallMs()];
      const tokens = tokensOf(key, perMinute, atMs);
      buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, atMs });
      return tokens < 1 ? Math.ceil(((1 - tokens) * 60_000) / perMinute) : 0;
    },
    giveBack(address: string, perMinute: number): void {
      const [key, atMs] = [keyOf(address, perMinute), wallMs()];
      buckets.set(key, { tokens: Math.min(perMinute, tokensOf(key, perMinute, atMs) + 1), atMs });
    },
  };
}
