// How often one address may call what needs no key: a bucket per address that refills evenly over a minute. In this process only.
import { AppError } from '../errors';

export interface IpLimit {
  /** Takes one request of `perMinute`; throws `rate_limit` with how long to wait. */
  take(ip: string, perMinute: number): void;
}

const MOST_ADDRESSES = 50_000;

export function createIpLimit(wallMs: () => number = Date.now): IpLimit {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return {
    take(ip, perMinute) {
      const nowMs = wallMs();
      const held = buckets.get(ip) ?? { tokens: perMinute, atMs: nowMs };
      const tokens = Math.min(perMinute, held.tokens + ((nowMs - held.atMs) * perMinute) / 60_000);
      buckets.delete(ip);
      buckets.set(ip, { tokens: tokens < 1 ? tokens : tokens - 1, atMs: nowMs });
      if (buckets.size > MOST_ADDRESSES) buckets.delete(buckets.keys().next().value!);
      if (tokens < 1) {
        throw new AppError('rate_limit', `${perMinute} requests a minute are served to one address without a key.`, {
          retry_after_seconds: Math.ceil(((1 - tokens) * 60) / perMinute),
        });
      }
    },
  };
}
