// Limits how often one address may call what needs no key, or guess, over all API processes and on Redis's own clock. Addresses are stored as
// hashes, and only while they count.
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createReach } from './redis';

export interface AddressBudget {
  /** Takes one of `most` requests, refilled evenly over the window. Resolves to 0, or to the milliseconds to wait. Rejects at once while Redis is away. */
  take(address: string, most: number, windowMs?: number): Promise<number>;
  /** Gives back one that was taken, of the same window. */
  giveBack(address: string, most: number, windowMs?: number): Promise<void>;
}

export const MINUTE_MS = 60_000;

/** Stores the instant at which the budget is full again (GCRA). Arguments: milliseconds a request, requests at once. Returns milliseconds to wait. */
const TAKE = `
  local time = redis.call('TIME')
  local now, each, most = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(ARGV[1]), tonumber(ARGV[2])
  local back = math.max(now, tonumber(redis.call('GET', KEYS[1])) or now)
  local wait = back - now - (most - 1) * each
  if wait > 0 then return math.ceil(wait) end
  redis.call('SET', KEYS[1], string.format('%.0f', back + each), 'PX', math.ceil(back + each - now))
  return 0`;

/** Arguments: milliseconds a request. A budget that is full again stays so. */
const GIVE_BACK = `
  local time = redis.call('TIME')
  local now, back = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(redis.call('GET', KEYS[1]))
  if not back then return 0 end
  back = back - tonumber(ARGV[1])
  if back <= now then return redis.call('DEL', KEYS[1]) end
  redis.call('SET', KEYS[1], string.format('%.0f', back), 'PX', math.ceil(back - now))
  return 1`;

type Scripts = Redis & {
  takeOfAddress(key: string, each: number, most: number): Promise<number>;
  giveBackToAddress(key: string, each: number): Promise<number>;
};

/** Processes with the same `deployment` share their counts. */
export function createAddressBudget(redis: Redis, deployment: string): AddressBudget {
  redis.defineCommand('takeOfAddress', { numberOfKeys: 1, lua: TAKE });
  redis.defineCommand('giveBackToAddress', { numberOfKeys: 1, lua: GIVE_BACK });
  const reach = createReach(redis);
  const keyOf = (address: string, most: number, windowMs: number): string => {
    const of = windowMs === MINUTE_MS ? [deployment, address, most] : [deployment, address, most, windowMs];
    return `address:${createHash('sha1').update(JSON.stringify(of)).digest('base64url')}`;
  };
  return {
    take: (address, most, windowMs = MINUTE_MS) =>
      reach(() => (redis as Scripts).takeOfAddress(keyOf(address, most, windowMs), windowMs / most, most)),
    giveBack: async (address, most, windowMs = MINUTE_MS) => {
      await reach(() => (redis as Scripts).giveBackToAddress(keyOf(address, most, windowMs), windowMs / most));
    },
  };
}
