// Limits how often one address may call what needs no key, over all API processes and on Redis's own clock. Addresses are stored as hashes,
// and only while they count.
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createReach } from './redis';

export interface AddressBudget {
  /** Takes one request of `perMinute`, refilled evenly. Resolves to 0, or to the milliseconds to wait. Rejects at once while Redis is away. */
  take(address: string, perMinute: number): Promise<number>;
}

/** Stores the instant at which the budget is full again (GCRA). Arguments: milliseconds a request, requests at once. Returns milliseconds to wait. */
const TAKE = `
  local time = redis.call('TIME')
  local now, each, most = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(ARGV[1]), tonumber(ARGV[2])
  local back = math.max(now, tonumber(redis.call('GET', KEYS[1])) or now)
  local wait = back - now - (most - 1) * each
  if wait > 0 then return math.ceil(wait) end
  redis.call('SET', KEYS[1], string.format('%.0f', back + each), 'PX', math.ceil(back + each - now))
  return 0`;

type Scripts = Redis & {
  takeOfAddress(key: string, each: number, most: number): Promise<number>;
};

/** Processes with the same `deployment` share their counts. */
export function createAddressBudget(redis: Redis, deployment: string): AddressBudget {
  redis.defineCommand('takeOfAddress', { numberOfKeys: 1, lua: TAKE });
  const reach = createReach(redis);
  const keyOf = (address: string, perMinute: number): string => {
    const hash = createHash('sha1').update(JSON.stringify([deployment, address, perMinute]));
    return `address:${hash.digest('base64url')}`;
  };
  return {
    take: (address, perMinute) =>
      reach(() => (redis as Scripts).takeOfAddress(keyOf(address, perMinute), 60_000 / perMinute, perMinute)),
  };
}
