// The replays that an account has paid for, over all API processes (D69): what was paid, who plays one now, and up to
// where it was read, for as long as a broken connection may come back for free. Redis's own clock counts.
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createReach } from './redis';

/** One paid replay of an account. */
export interface PlayOf {
  readonly accountId: string;
  readonly play: string;
}

/** Credits by race. */
export type PlayBill = Readonly<Record<string, number>>;

/** What was paid for. */
export interface PlayRecord {
  /** Equal for equal filters. */
  readonly filters: string;
  /** Race time from which on it is paid, epoch milliseconds; null: all of it. */
  readonly fromMs: number | null;
  readonly paid: PlayBill;
}

export interface FoundPlay {
  readonly record: PlayRecord;
  readonly holder: string;
  /** How often it was gone on with. */
  readonly resumptions: number;
  /** Another one after every change of the record or the holder. */
  readonly version: string;
}

interface TakenPlay {
  readonly record: PlayRecord;
  /** Up to here it was read. */
  readonly read: string;
  /** As it was found; null: it is new. */
  readonly found: FoundPlay | null;
  /** Of the resumptions that follow, this is the first. */
  readonly countsAnew?: boolean;
}

export interface PaidPlays {
  /** Changes nothing. Null: it is not kept, or its client has read on from this id. */
  find(play: PlayOf, id: string): Promise<FoundPlay | null>;
  /** The connection plays it from now on. False: it has changed since it was found. */
  take(play: PlayOf, connection: string, taken: TakenPlay): Promise<boolean>;
  /**
   * The connection plays it, and its client has read up to this id. A play that Redis lost is kept again. False:
   * another connection plays it. Rejects at once, like all of them, while Redis is away.
   */
  keep(play: PlayOf, connection: string, read: string, record: PlayRecord): Promise<boolean>;
  /** This is what is paid after all. False: another connection plays it, and nothing changes. */
  correct(play: PlayOf, connection: string, record: PlayRecord): Promise<boolean>;
}

const LASTS_MS = 10 * 60_000;

/** Key: the play. Arguments: id. */
const FIND = `
  local found = redis.call('HMGET', KEYS[1], 'read', 'record', 'holder', 'resumptions', 'version')
  if not found[1] or ARGV[1] < found[1] then return false end
  return {found[2], found[3], found[4], found[5]}`;

/** Arguments: connection, id, record, milliseconds, version or an empty text, resumptions. What was read only rises. */
const TAKE = `
  if ARGV[5] ~= '' and redis.call('HGET', KEYS[1], 'version') ~= ARGV[5] then return 0 end
  local read = redis.call('HGET', KEYS[1], 'read')
  if not read or read < ARGV[2] then read = ARGV[2] end
  redis.call('HSET', KEYS[1], 'holder', ARGV[1], 'read', read, 'record', ARGV[3], 'resumptions', ARGV[6])
  redis.call('HINCRBY', KEYS[1], 'version', 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  return 1`;

/** Arguments: connection, id, milliseconds. */
const KEEP = `
  local holder = redis.call('HGET', KEYS[1], 'holder')
  if not holder then return -1 end
  if holder ~= ARGV[1] then return 0 end
  if redis.call('HGET', KEYS[1], 'read') < ARGV[2] then redis.call('HSET', KEYS[1], 'read', ARGV[2]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1`;

/** Arguments: connection, record. */
const CORRECT = `
  local holder = redis.call('HGET', KEYS[1], 'holder')
  if not holder then return 1 end
  if holder ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], 'record', ARGV[2])
  redis.call('HINCRBY', KEYS[1], 'version', 1)
  return 1`;

type Script<T> = (...args: readonly (string | number)[]) => Promise<T>;
type Found = readonly [record: string, holder: string, resumptions: string, version: string];
type Scripts = Redis &
  Readonly<Record<'takePlay' | 'keepPlay' | 'correctPlay', Script<number>>> & {
    readonly findPlay: Script<Found | null>;
  };

/** Processes with the same `deployment` share their plays. */
export function createPaidPlays(redis: Redis, deployment: string, lastsMs = LASTS_MS): PaidPlays {
  redis.defineCommand('findPlay', { numberOfKeys: 1, lua: FIND });
  redis.defineCommand('takePlay', { numberOfKeys: 1, lua: TAKE });
  redis.defineCommand('keepPlay', { numberOfKeys: 1, lua: KEEP });
  redis.defineCommand('correctPlay', { numberOfKeys: 1, lua: CORRECT });
  const scripts = redis as Scripts;
  const reach = createReach(redis);
  const keyOf = ({ accountId, play }: PlayOf): string =>
    `plays:${createHash('sha1')
      .update(JSON.stringify([deployment, accountId, play]))
      .digest('base64url')}`;
  const take: PaidPlays['take'] = async (play, connection, { record, read, found, countsAnew = false }) => {
    const resumptions = found && !countsAnew ? found.resumptions + 1 : 0;
    const given = [connection, read, JSON.stringify(record), lastsMs, found?.version ?? '', resumptions];
    return (await reach(() => scripts.takePlay(keyOf(play), ...given))) === 1;
  };
  return {
    take,
    async find(play, id) {
      const found = await reach(() => scripts.findPlay(keyOf(play), id));
      if (found === null) return null;
      const [record, holder, resumptions, version] = found;
      return { record: JSON.parse(record), holder, resumptions: Number(resumptions), version };
    },
    async keep(play, connection, read, record) {
      const kept = await reach(() => scripts.keepPlay(keyOf(play), connection, read, lastsMs));
      return kept === -1 ? take(play, connection, { record, read, found: null }) : kept === 1;
    },
    correct: async (play, connection, record) =>
      (await reach(() => scripts.correctPlay(keyOf(play), connection, JSON.stringify(record)))) === 1,
  };
}
