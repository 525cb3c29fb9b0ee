// Decides whose page is next at each registry, over all processes (D49). Order is by rank and arrival, and times are
// Redis's own: no process's clock counts. Nothing in it is permanent.
import type { Redis } from 'ioredis';

/** Every method rejects at once while Redis is away. */
export interface RegistryTurns {
  take(
    registry: string,
    token: string,
    rank: number,
    leaseMs: number,
  ): Promise<{ readonly granted: boolean; readonly waitMs: number }>;
  /**
   * `nextRank`: takes the next place for the pages still waiting in this process, before any other can be granted;
   * null: nothing waits.
   */
  end(registry: string, token: string, spacingMs: number, nextRank: number | null): Promise<void>;
  leave(registry: string, token: string): Promise<void>;
}

/** Wall time. A process that has not checked for this long no longer waits: it died, or stood still. */
const FORGOTTEN_AFTER_MS = 10_000;

/** A token takes its place in the queue, unless it already has one of this rank. */
const WAIT = `
  local function wait(token, rank)
    local time = redis.call('TIME')
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[4], '-inf', now - ${FORGOTTEN_AFTER_MS})) do
      redis.call('ZREM', KEYS[3], gone)
      redis.call('ZREM', KEYS[4], gone)
    end
    redis.call('ZADD', KEYS[4], now, token)
    local place = redis.call('ZSCORE', KEYS[3], token)
    if not place or math.floor(tonumber(place) / 1e12) ~= rank then
      redis.call('ZADD', KEYS[3], string.format('%.0f', rank * 1e12 + redis.call('INCR', KEYS[5]) % 1e12), token)
    end
    for key = 3, 5 do redis.call('PEXPIRE', KEYS[key], 3600000) end
  end`;

/**
 * Keys, of both scripts: who reads a page, the pause after it, who waits, when each last checked, the count of
 * arrivals. Arguments: token, rank, lease. Returns { 1 if granted, milliseconds for which nothing can be }.
 */
const TAKE = `${WAIT}
  wait(ARGV[1], tonumber(ARGV[2]))
  if redis.call('EXISTS', KEYS[1]) == 1 then return {0, 0} end
  local pause = redis.call('PTTL', KEYS[2])
  if pause > 0 then return {0, pause} end
  if redis.call('ZRANGE', KEYS[3], 0, 0)[1] ~= ARGV[1] then return {0, 0} end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
  redis.call('ZREM', KEYS[3], ARGV[1])
  redis.call('ZREM', KEYS[4], ARGV[1])
  return {1, 0}`;

/** Arguments: token, pause, rank of the page still waiting or -1. */
const END = `${WAIT}
  if tonumber(ARGV[3]) >= 0 then wait(ARGV[1], tonumber(ARGV[3])) end
  if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('DEL', KEYS[1])
  if tonumber(ARGV[2]) > 0 then redis.call('SET', KEYS[2], '1', 'PX', ARGV[2]) end
  return 1`;

/** Keys: who waits, when each last checked. Arguments: token. */
const LEAVE = `return redis.call('ZREM', KEYS[1], ARGV[1]) + redis.call('ZREM', KEYS[2], ARGV[1])`;

type Scripts = Redis & {
  takeRegistryTurn(...of: (string | number)[]): Promise<[number, number]>;
  endRegistryTurn(...of: (string | number)[]): Promise<number>;
  leaveRegistryTurns(...of: string[]): Promise<number>;
};

/** The braces keep all keys of a registry on one node of a cluster. */
const keysOf = (registry: string): string[] =>
  ['page', 'pause', 'waiting', 'looked', 'arrivals'].map((what) => `registry:{${registry}}:${what}`);

export function createRegistryTurns(redis: Redis): RegistryTurns {
  redis.defineCommand('takeRegistryTurn', { numberOfKeys: 5, lua: TAKE });
  redis.defineCommand('endRegistryTurn', { numberOfKeys: 5, lua: END });
  redis.defineCommand('leaveRegistryTurns', { numberOfKeys: 2, lua: LEAVE });
  const scripts = redis as Scripts;
  let opening: Promise<void> | null = null;
  // The very first commands wait for the connection; later ones fail while there is none.
  const opened = async (): Promise<void> => {
    if (redis.status === 'wait')
      opening = redis.connect().finally(() => {
        opening = null;
      });
    await opening;
  };
  return {
    async take(registry, token, rank, leaseMs) {
      await opened();
      const [granted, waitMs] = await scripts.takeRegistryTurn(...keysOf(registry), token, rank, Math.ceil(leaseMs));
      return { granted: granted === 1, waitMs };
    },
    async end(registry, token, spacingMs, nextRank) {
      await opened();
      await scripts.endRegistryTurn(...keysOf(registry), token, Math.ceil(spacingMs), nextRank ?? -1);
    },
    async leave(registry, token) {
      await opened();
      await scripts.leaveRegistryTurns(...keysOf(registry).slice(2, 4), token);
    },
  };
}
