// Counts requests in a sliding window, over all API processes and on Redis's own clock: no window admits more than its
// limit, wherever it begins. Each count is a list of the instants at which the requests of the last window were
// admitted, newest first: about ten bytes a request, so the limit bounds its size, and it expires when a window has
// passed.
import type { Redis } from 'ioredis';
import { createReach } from './redis';

export interface WindowCount {
  readonly admitted: boolean;
  /** Requests that would be admitted now. */
  readonly remaining: number;
  /** Until the oldest counted request no longer counts; for a refused request, until another one would be admitted. */
  readonly waitMs: number;
}

export interface SlidingWindow {
  /** Admits and counts one request, or refuses it and does not count it. */
  take(key: string, most: number, windowMs: number): Promise<WindowCount>;
  /** Takes the newest counted request back. */
  giveBack(key: string): Promise<void>;
}

/**
 * Arguments: requests in a window, the window in milliseconds. Instants are microseconds, and never go back while the
 * list exists: after the server's clock was set back by more than a window, the list starts again.
 */
const TAKE = `
  local key, most, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]) * 1000
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  local newest = tonumber(redis.call('LINDEX', key, 0))
  if newest and newest > now + window then redis.call('DEL', key) elseif newest and newest > now then now = newest end
  local oldest = tonumber(redis.call('LINDEX', key, -1))
  while oldest and oldest <= now - window do
    redis.call('RPOP', key)
    oldest = tonumber(redis.call('LINDEX', key, -1))
  end
  local used = redis.call('LLEN', key)
  if used >= most then
    local leaves = tonumber(redis.call('LINDEX', key, most - used - 1))
    return {0, 0, math.ceil((leaves + window - now) / 1000)}
  end
  redis.call('LPUSH', key, string.format('%.0f', now))
  redis.call('PEXPIRE', key, window / 1000)
  return {1, most - used - 1, math.ceil(((oldest or now) + window - now) / 1000)}`;

type Scripts = Redis & {
  takeOfWindow(key: string, most: number, windowMs: number): Promise<[number, number, number]>;
};

/** Its methods reject at once while Redis is away. */
export function createSlidingWindow(redis: Redis): SlidingWindow {
  redis.defineCommand('takeOfWindow', { numberOfKeys: 1, lua: TAKE });
  const reach = createReach(redis, 'try');
  return {
    async take(key, most, windowMs) {
      const [admitted, remaining, waitMs] = await reach(() => (redis as Scripts).takeOfWindow(key, most, windowMs));
      return { admitted: admitted === 1, remaining, waitMs };
    },
    async giveBack(key) {
      await reach(() => redis.lpop(key));
    },
  };
}
