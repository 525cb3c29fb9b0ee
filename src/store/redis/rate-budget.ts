// The rate budget of every book, shared by all workers: a token bucket per book in Redis, on Redis's own clock. Our own
// script instead of a library: rate-limiter-flexible counts in whole seconds and spends what it refuses, while here a
// less important call leaves a floor of tokens to more important ones. Also stores the pause that a book requests,
// which every worker honours.
import type { Redis } from 'ioredis';

interface SharedRate {
  readonly perSecond: number;
  /** Tokens of a full bucket. */
  readonly burst: number;
}

interface SharedLease {
  readonly granted: number;
  /** Until there is a token again above the floor; 0 when one was granted. */
  readonly waitMs: number;
  /** The book requested a pause, of which `waitMs` are left. */
  readonly paused: boolean;
}

/** Every method rejects at once while Redis is away. */
export interface RateBudget {
  /** Up to `wanted` tokens, leaving `floor` of them in the bucket. */
  lease(bookmakerKey: string, rate: SharedRate, floor: number, wanted: number): Promise<SharedLease>;
  /** Never shortens a longer pause. */
  pause(bookmakerKey: string, ms: number): Promise<void>;
  ping(): Promise<void>;
}

/**
 * Keys: bucket, pause. Arguments: tokens a second, burst, floor, wanted. Returns { granted, milliseconds to wait, 1 if
 * paused }.
 */
const LEASE = `
  local paused = redis.call('PTTL', KEYS[2])
  if paused > 0 then return {0, paused, 1} end
  local rate, burst, floor, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local stored = redis.call('HMGET', KEYS[1], 'tokens', 'at')
  local tokens, at = tonumber(stored[1]) or burst, tonumber(stored[2]) or now
  tokens = math.min(burst, tokens + math.max(0, now - at) * rate / 1000)
  local granted = math.max(0, math.min(wanted, math.floor(tokens - floor)))
  tokens = tokens - granted
  redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', string.format('%d', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(burst / rate * 1000) + 1000)
  if granted > 0 then return {granted, 0, 0} end
  return {0, math.ceil((floor + 1 - tokens) * 1000 / rate), 0}`;

const PAUSE = `
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], '1', 'PX', ARGV[1]) end
  return 1`;

type Scripts = Redis & {
  leaseTokens(bucket: string, pause: string, ...of: number[]): Promise<[number, number, number]>;
  pauseBook(pause: string, ms: number): Promise<number>;
};

/** The braces keep both keys of a book on one node of a cluster. */
const bucketKey = (key: string): string => `feed:{${key}}:tokens`;
const pauseKey = (key: string): string => `feed:{${key}}:pause`;

export function createRateBudget(redis: Redis): RateBudget {
  redis.defineCommand('leaseTokens', { numberOfKeys: 2, lua: LEASE });
  redis.defineCommand('pauseBook', { numberOfKeys: 1, lua: PAUSE });
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
    async lease(bookmakerKey, { perSecond, burst }, floor, wanted) {
      await opened();
      const bucket = bucketKey(bookmakerKey);
      const pause = pauseKey(bookmakerKey);
      const [granted, waitMs, paused] = await scripts.leaseTokens(bucket, pause, perSecond, burst, floor, wanted);
      return { granted, waitMs, paused: paused === 1 };
    },
    async pause(bookmakerKey, ms) {
      await opened();
      if (ms >= 1) await scripts.pauseBook(pauseKey(bookmakerKey), Math.ceil(ms));
    },
    async ping() {
      await opened();
      await redis.ping();
    },
  };
}
