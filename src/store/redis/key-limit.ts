// Limits how often one key may call, over all API processes and on Redis's own clock: no window of a minute admits more than the limit
// (D37). Each key has a list of the instants at which its requests of the last minute were admitted, newest first.
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createReach } from './redis';

export interface KeyCount {
  readonly admitted: boolean;
  /** Requests that would be admitted now. */
  readonly remaining: number;
  /** Until the oldest counted request no longer counts; of a refused request, until another one would be admitted. */
  readonly waitMs: number;
}

export interface KeyLimit {
  /** Admits and counts one request, or refuses it and does not count it. Rejects at once while Redis is away. */
  take(keyId: string, perMinute: number): Promise<KeyCount>;
  /** Whether requests are counted. */
  isCounting(): Promise<boolean>;
}

const MINUTE_MS = 60_000;

/**
 * Arguments: requests in a window, the window in milliseconds. Instants are microseconds, and never go back while the list lasts: after the
 * server's clock was set back by more than a window, the list begins again.
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
  takeOfKey(key: string, most: number, windowMs: number): Promise<[number, number, number]>;
};

/** Processes with the same `deployment` share their counts. */
export function createKeyLimit(redis: Redis, deployment: string, windowMs = MINUTE_MS): KeyLimit {
  redis.defineCommand('takeOfKey', { numberOfKeys: 1, lua: TAKE });
  const reach = createReach(redis);
  const listOf = (keyId: string): string => {
    const hash = createHash('sha1').update(JSON.stringify([deployment, keyId]));
    return `key-limit:${hash.digest('base64url')}`;
  };
  return {
    async take(keyId, perMinute) {
      const command = () => (redis as Scripts).takeOfKey(listOf(keyId), perMinute, windowMs);
      const [admitted, remaining, waitMs] = await reach(command);
      return { admitted: admitted === 1, remaining, waitMs };
    },
    isCounting: () =>
      reach(() => redis.ping()).then(
        () => true,
        () => false,
      ),
  };
}
