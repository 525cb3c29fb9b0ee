// The replays that an account has paid for, over all API processes (D69): who plays one now, and up to where it was
// read, for as long as a broken connection may come back for free. Redis's own clock counts.
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createReach } from './redis';

/** One paid replay of an account. */
export interface PlayOf {
  readonly accountId: string;
  readonly play: string;
}

export interface PaidPlays {
  /**
   * The connection plays it, and its client has read up to this id. False: another one plays it. Rejects at once, like
   * all of them, while Redis is away.
   */
  keep(play: PlayOf, connection: string, read: string): Promise<boolean>;
  /**
   * The connection takes the play over, to go on after this id. Null: it is not paid for, or its client has read on
   * from there. Otherwise the connection that had it.
   */
  resume(play: PlayOf, connection: string, id: string): Promise<string | null>;
  /** It is not paid for any more. False: another connection plays it, and it stays. */
  forget(play: PlayOf, connection: string): Promise<boolean>;
}

const LASTS_MS = 10 * 60_000;

/** Key: the play. Arguments: connection, id, milliseconds. What was read only rises. */
const KEEP = `
  local holder = redis.call('HGET', KEYS[1], 'holder')
  if holder and holder ~= ARGV[1] then return 0 end
  local read = redis.call('HGET', KEYS[1], 'read')
  if not read or read < ARGV[2] then read = ARGV[2] end
  redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'read', read)
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`;

const RESUME = `
  local holder = redis.call('HGET', KEYS[1], 'holder')
  if not holder or ARGV[2] < redis.call('HGET', KEYS[1], 'read') then return false end
  redis.call('HSET', KEYS[1], 'holder', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return holder`;

const FORGET = `
  local holder = redis.call('HGET', KEYS[1], 'holder')
  if holder and holder ~= ARGV[1] then return 0 end
  redis.call('DEL', KEYS[1])
  return 1`;

type Script<T> = (...args: readonly (string | number)[]) => Promise<T>;
type Scripts = Redis & {
  readonly keepPlay: Script<number>;
  readonly resumePlay: Script<string | null>;
  readonly forgetPlay: Script<number>;
};

/** Processes with the same `deployment` share their plays. */
export function createPaidPlays(redis: Redis, deployment: string, lastsMs = LASTS_MS): PaidPlays {
  redis.defineCommand('keepPlay', { numberOfKeys: 1, lua: KEEP });
  redis.defineCommand('resumePlay', { numberOfKeys: 1, lua: RESUME });
  redis.defineCommand('forgetPlay', { numberOfKeys: 1, lua: FORGET });
  const reach = createReach(redis);
  const keyOf = ({ accountId, play }: PlayOf): string =>
    `plays:${createHash('sha1')
      .update(JSON.stringify([deployment, accountId, play]))
      .digest('base64url')}`;
  return {
    keep: async (play, connection, read) =>
      (await reach(() => (redis as Scripts).keepPlay(keyOf(play), connection, read, lastsMs))) === 1,
    resume: (play, connection, id) => reach(() => (redis as Scripts).resumePlay(keyOf(play), connection, id, lastsMs)),
    forget: async (play, connection) =>
      (await reach(() => (redis as Scripts).forgetPlay(keyOf(play), connection))) === 1,
  };
}
