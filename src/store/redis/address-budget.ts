// How often one address has called what needs no key, counted for all API processes on Redis's own clock. Addresses are kept as hashes,
// and no longer than they count.
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createReach } from './redis';

export interface AddressBudget {
  /** Takes one request of `perMinute`, which come back evenly; how long to wait instead, 0 when it is taken. Rejects at once when Redis is away. */
  take(address: string, perMinute: number): Promise<number>;
}

/** The instant at which all that was taken is back (GCRA). Arguments: milliseconds a request, requests at once. Says how long to wait. */
const TAKE = `
  local time = redis.call('TIME')
  local now, each, most = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(ARGV[1]), tonumber(ARGV[2])
  local back = math.max(now, tonumber(redis.call('GET', KEYS[1])) or now)
  local wait = back - now - (most - 1) * each
  if wait > 0 then return math.ceil(wait) end
  redis.call('SET', KEYS[1], string.format('%.0f', back + each), 'PX', math.ceil(back + each - now))
  return 0`;

type Scripts = Redis & { takeOfAddress(key: string, each: number, most: number): Promise<number> };

/** `deployment`: processes that agree on it count together. */
export function createAddressBudget(redis: Redis, deployment: string): AddressBudget {
  redis.defineCommand('takeOfAddress', { numberOfKeys: 1, lua: TAKE });
  const reach = createReach(redis);
  return {
    take(address, perMinute) {
      const hash = createHash('sha1')
        .update(JSON.stringify([deployment, address, perMinute]))
        .digest('base64url');
      return reach(() => (redis as Scripts).takeOfAddress(`address:${hash}`, 60_000 / perMinute, perMinute));
    },
  };
}
