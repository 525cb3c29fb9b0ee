// The replays that an account has paid for, over all API processes (D69): who plays one now, and up to where it was
// sent, for as long as a broken connection may come back for free. Redis's own clock counts.
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
   * The connection plays it from now on, up to `sent`. False: another one does. Rejects at once, like all of them,
   * while Redis is away.
   */
  keep(play: PlayOf, connection: string, sent: string): Promise<boolean>;
  /**
   * The connection takes the play over and goes on after `place`. Null: nobody has paid for that, or it was sent and
   * read before. Otherwise the connection that had it.
   */
  resume(play: PlayOf, connection: string, place: string): Promise<string | null>;
}

const LASTS_MS = 10 * 60_000;

/** Key: the play. Arguments: connection, place, milliseconds. Places only rise. */
const KEEP = `
  local holder = redis.call('HGET', KEYS[1], 'holder')
  if holder and holder ~= ARGV[1] then return 0 end
  local sent = redis.call('HGET', KEYS[1], 'sent')
  if not sent or sent < ARGV[2] then sent = ARGV[2] end
  redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'sent', sent)
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`;

const RESUME = `
  local holder = redis.call('HGET', KEYS[1], 'holder')
  if not holder or ARGV[2] < redis.call('HGET', KEYS[1], 'sent') then return false end
  redis.call('HSET', KEYS[1], 'holder', ARGV[1])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return holder`;

type Script<T> = (...args: readonly (string | number)[]) => Promise<T>;
type Scripts = Redis & { readonly keepPlay: Script<number>; readonly resumePlay: Script<string | null> };

/** Processes with the same `deployment` share their plays. */
export function createPaidPlays(redis: Redis, deployment: string, lastsMs = LASTS_MS): PaidPlays {
  redis.defineCommand('keepPlay', { numberOfKeys: 1, lua: KEEP });
  redis.defineCommand('resumePlay', { numberOfKeys: 1, lua: RESUME });
  const reach = createReach(redis);
  const keyOf = ({ accountId, play }: PlayOf): string =>
    `plays:${createHash('sha1')
      .update(JSON.stringify([deployment, accountId, play]))
      .digest('base64url')}`;
  return {
    keep: async (play, connection, sent) =>
      (await reach(() => (redis as Scripts).keepPlay(keyOf(play), connection, sent, lastsMs))) === 1,
    resume: (play, connection, place) =>
      reach(() => (redis as Scripts).resumePlay(keyOf(play), connection, place, lastsMs)),
  };
}
