// How many requests each address sent, in token buckets that refill evenly over a window. All API processes share the buckets in Redis; while
// Redis is unavailable, each process uses its own.
import { LRUCache } from 'lru-cache';
import { type AddressBudget, MINUTE_MS } from '../../store/redis/address-budget';

const MOST_ADDRESSES = 50_000;

/** Never rejects. `shared` null: only this process counts. */
export function createAddressCount(shared: AddressBudget | null, wallMs: () => number = Date.now): AddressBudget {
  const own = ownBuckets(wallMs);
  return {
    async take(address, most, windowMs = MINUTE_MS) {
      const ownWaitMs = own.take(address, most, windowMs);
      return shared ? shared.take(address, most, windowMs).catch(() => ownWaitMs) : ownWaitMs;
    },
    async giveBack(address, most, windowMs = MINUTE_MS) {
      own.giveBack(address, most, windowMs);
      await shared?.giveBack(address, most, windowMs).catch(() => undefined);
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
    take(address: string, most: number, windowMs: number): number {
      const [key, atMs] = [`${most} ${windowMs} ${address}`, wallMs()];
      const last = buckets.get(key) ?? { tokens: most, atMs };
      const tokens = Math.min(most, last.tokens + (Math.max(0, atMs - last.atMs) * most) / windowMs);
      buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, atMs });
      return tokens < 1 ? Math.ceil(((1 - tokens) * windowMs) / most) : 0;
    },
    giveBack(address: string, most: number, windowMs: number): void {
      const key = `${most} ${windowMs} ${address}`;
      const last = buckets.get(key);
      if (last) buckets.set(key, { ...last, tokens: Math.min(most, last.tokens + 1) });
    },
  };
}
