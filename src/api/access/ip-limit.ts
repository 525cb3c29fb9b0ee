// How often one address may call what needs no key: a bucket per address that refills evenly over a minute, one for all API processes.
// While that cannot be reached, each process keeps to its own.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors';
import type { AddressBudget } from '../../store/redis/address-budget';

export interface IpLimit {
  /** Takes one request of `perMinute`; throws `rate_limit` with how long to wait. */
  take(ip: string, perMinute: number): Promise<void>;
}

const MOST_ADDRESSES = 50_000;

/** `shared` null: this process counts alone. */
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

/** Takes one of the address's requests, or says how long to wait. */
function ownBuckets(wallMs: () => number): (ip: string, perMinute: number) => number {
  const buckets = new LRUCache<string, { tokens: number; atMs: number }>({ max: MOST_ADDRESSES });
  return (ip, perMinute) => {
    const nowMs = wallMs();
    const held = buckets.get(ip) ?? { tokens: perMinute, atMs: nowMs };
    const tokens = Math.min(perMinute, held.tokens + ((nowMs - held.atMs) * perMinute) / 60_000);
    buckets.set(ip, { tokens: tokens < 1 ? tokens : tokens - 1, atMs: nowMs });
    return tokens < 1 ? Math.ceil(((1 - tokens) * 60_000) / perMinute) : 0;
  };
}
