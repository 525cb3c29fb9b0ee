// How many streams an account has open, over all API processes and on Redis's own clock. Each connection has a lease, which it renews while it
// is open; that of a process that ended without giving it back runs out.
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createReach } from './redis';

export interface StreamLeases {
  /** Takes or renews the lease of a connection; false: the account has as many others. Rejects at once while Redis is away. */
  take(accountId: string, connection: string, most: number): Promise<boolean>;
  /** Rejects at once while Redis is away: then the lease runs out. */
  giveBack(accountId: string, connection: string): Promise<void>;
}

const LASTS_MS = 15_000;

/** Arguments: connection, leases at most, milliseconds. A lease that ends later than a new one would is of before the clock was set back. */
const TAKE = `
  local key, connection, most, lasts = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', now)
  redis.call('ZREMRANGEBYSCORE', key, '(' .. string.format('%.0f', now + lasts), '+inf')
  if not redis.call('ZSCORE', key, connection) and redis.call('ZCARD', key) >= most then return 0 end
  redis.call('ZADD', key, string.format('%.0f', now + lasts), connection)
  redis.call('PEXPIRE', key, lasts)
  return 1`;

type Scripts = Redis & {
  takeStreamLease(key: string, connection: string, most: number, lastsMs: number): Promise<number>;
};

/** Processes with the same `deployment` share their counts. */
export function createStreamLeases(redis: Redis, deployment: string, lastsMs = LASTS_MS): StreamLeases {
  redis.defineCommand('takeStreamLease', { numberOfKeys: 1, lua: TAKE });
  const reach = createReach(redis);
  const keyOf = (accountId: string): string => {
    const hash = createHash('sha1').update(JSON.stringify([deployment, accountId]));
    return `streams:${hash.digest('base64url')}`;
  };
  return {
    take: async (accountId, connection, most) =>
      (await reach(() => (redis as Scripts).takeStreamLease(keyOf(accountId), connection, most, lastsMs))) === 1,
    giveBack: async (accountId, connection) => {
      await reach(() => redis.zrem(keyOf(accountId), connection));
    },
  };
}
