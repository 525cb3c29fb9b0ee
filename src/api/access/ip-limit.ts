// Limits keyless calls per address with a token bucket that refills evenly over a minute. All API processes share the bucket in Redis;
// while Redis is unavailable, each process uses its own.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors';
import type { AddressBudget } from '../../store/redis/address-budget';

export interface IpLimit {
  /** Takes one of `perMinute` requests. Throws `rate_limit` with the time to wait. */
  take(ip: string, perMinute: number): Promise<void>;
}

const MOST_ADDRESSES = 50_000;

/** `shared` null: only this process counts. */
export function createIpLimit(shared: AddressBudget | null, wallMs: () => number = Date.now): IpLimit {
  const own = ownBuckets(wallMs);
  return {
    async take(ip, perMinute) {
      const ownWaitMs = own(ip, perMinute);
      const waitMs = shared ? await shared.take(ip, perMinute).catch(() => ownWaitMs) : ownWaitMs;
      if (waitMs === 0) return;
      throw new AppError('rate_limit', `Without a key, each address may send ${perMinute} requests a minute.`, {
        retry_after_seconds: Math.ceil(waitMs / 1000),
      });
    },
  };
}

/** Takes one of the address's requests: returns 0, or the milliseconds to wait. */
function ownBuckets(wallMs: () => number): (ip: string, perMinute: number) => number {
  const buckets = new LRUCache<string, { tokens: number; atMs: number }>({ max: MOST_ADDRESSES });
  return (ip, perMinute) => {
    const nowMs = wallMs();
    const bucket = buckets.get(ip) ?? { tokens: perMinute, atMs: nowMs };
    const tokens = Math.min(perMinute, bucket.tokens + ((nowMs - bucket.atMs) * perMinute) / 60_000);
    buckets.set(ip, { tokens: tokens < 1 ? tokens : tokens - 1, atMs: nowMs });
    return tokens < 1 ? Math.ceil(((1 - tokens) * 60_000) / perMinute) : 0;
  };
}
