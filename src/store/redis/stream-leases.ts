// How many streams an account has open, over all API processes and on Redis's own clock. Each connection has a lease,
// which it renews while it is open; the lease of a process that ended without returning it expires. A connection may
// take the place of an earlier one of its key, and with it the paid minute (D64).
import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { createReach } from './redis';
import { sentTogether } from './sent-together';

/** One connection of a key. */
export interface StreamOf {
  readonly accountId: string;
  readonly keyId: string;
  readonly connection: string;
}

interface TakeOptions {
  /** An earlier connection of the same key, whose place it takes: its next renewal is `replaced`. */
  readonly replaces?: string | null;
}

type Taken = 'full' | 'replaced' | { readonly paidMs: number };

/** `left`: its lease was given back, and nothing was done. */
export type Renewed = 'kept' | 'full' | 'replaced' | 'left';

export interface StreamLeases {
  /**
   * Takes the lease of a connection, or renews it. `full`: the account has `most` others. `replaced`: another
   * connection took its place. `paidMs`: the rest of the minute of the connection that it replaces, which now belongs
   * to this one.
   */
  take(stream: StreamOf, most: number, options?: TakeOptions): Promise<Taken>;
  /**
   * Renews the lease of a connection, in one command for all of this moment. `paysMs`: milliseconds from now on that it
   * is about to pay for, unless it is refused.
   */
  renew(stream: StreamOf, most: number, paysMs?: number): Promise<Renewed>;
  /**
   * It has paid: a connection that takes its place continues the minute. False: one has taken it, and pays itself. In
   * one command for all of this moment.
   */
  confirm(stream: StreamOf): Promise<boolean>;
  /** The connection did not pay after all. False: another connection continues it. */
  unpay(stream: StreamOf): Promise<boolean>;
  /** The rest of the minute that it took over belongs again to the connection that it replaced. */
  returnPaid(stream: StreamOf, replaced: string): Promise<void>;
  /**
   * Rejects at once, like all of them, while Redis is away: the lease then expires. The paid minute stays for a
   * connection that continues it. This stream is not renewed again.
   */
  giveBack(stream: StreamOf): Promise<void>;
}

const LASTS_MS = 15_000;
/** In one script, which nothing else in Redis waits for much longer than a millisecond. */
const MOST_TOGETHER = 100;
/** Longer than a kernel keeps a connection whose client is gone. */
const REMEMBERED_MS = 20 * 60_000;

/**
 * Keys: leases of the account, the connection's payment (1; 0 by `RENEW`: it is about to pay), whether it is replaced,
 * and both of the connection that it replaces. Arguments: connection, maximum leases, milliseconds of a lease and of
 * the memory, whom it replaces or an empty text. A lease that ends later than a new one would is from before the clock
 * was set back.
 */
const TAKE = `
  local leases, paid, replaced, itsPaid, itsReplaced = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
  local connection, most, lasts, remembered = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
  local replaces = ARGV[5]
  if redis.call('EXISTS', replaced) == 1 then return -2 end
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
  redis.call('ZREMRANGEBYSCORE', leases, '(' .. string.format('%.0f', now + lasts), '+inf')
  local others = redis.call('ZCARD', leases)
  if replaces ~= '' and redis.call('ZSCORE', leases, replaces) then others = others - 1 end
  if not redis.call('ZSCORE', leases, connection) and others >= most then return -1 end
  local left = 0
  if replaces ~= '' then
    redis.call('ZREM', leases, replaces)
    redis.call('SET', itsReplaced, 1, 'PX', remembered)
    if redis.call('GET', itsPaid) == '1' then left = math.max(0, redis.call('PTTL', itsPaid)) end
    redis.call('DEL', itsPaid)
  end
  if left > 0 then redis.call('SET', paid, 1, 'PX', left) end
  redis.call('ZADD', leases, string.format('%.0f', now + lasts), connection)
  redis.call('PEXPIRE', leases, lasts)
  return left`;

/**
 * Arguments: milliseconds of a lease, then for each connection a line: the key of the leases of its account, the key
 * that says whether it is replaced, its payment and for how many milliseconds it is about to pay, its account's
 * maximum, and the connection itself. As `TAKE` for each. One text, because a command of four hundred arguments costs
 * more to write than the script to run; keys of one server need no list.
 */
const RENEW = `
  local lasts = tonumber(ARGV[1])
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local ends = string.format('%.0f', now + lasts)
  local renewed = {}
  local line = '([^ \\n]+) ([^ \\n]+) ([^ \\n]+) (%d+) (%d+) ([^\\n]+)\\n'
  for leases, replaced, paid, pays, most, connection in string.gmatch(ARGV[2], line) do
    local code = 0
    if redis.call('EXISTS', replaced) == 1 then code = -2
    else
      redis.call('ZREMRANGEBYSCORE', leases, '-inf', now)
      redis.call('ZREMRANGEBYSCORE', leases, '(' .. ends, '+inf')
      if not redis.call('ZSCORE', leases, connection) and redis.call('ZCARD', leases) >= tonumber(most) then code = -1
      else
        if pays ~= '0' then redis.call('SET', paid, 0, 'PX', pays) end
        redis.call('ZADD', leases, ends, connection)
        redis.call('PEXPIRE', leases, lasts)
      end
    end
    renewed[#renewed + 1] = code
  end
  return renewed`;

/** Argument: for each connection a line: its payment, and the key that says whether it is replaced. */
const CONFIRM = `
  local confirmed = {}
  for paid, replaced in string.gmatch(ARGV[1], '([^ \\n]+) ([^ \\n]+)\\n') do
    local code = 0
    if redis.call('EXISTS', replaced) == 0 then
      code = 1
      redis.call('SET', paid, 1, 'XX', 'KEEPTTL')
    end
    confirmed[#confirmed + 1] = code
  end
  return confirmed`;

/** Keys: the connection's payment, whether it is replaced. */
const UNPAY = `
  if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
  redis.call('DEL', KEYS[1])
  return 1`;

/** Keys: the payments of two connections. A command that fails would count as Redis away. */
const RETURN = `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('RENAME', KEYS[1], KEYS[2]) end`;

/** Of Redis: leases of the account, the connection's payment, and whether it is replaced. */
interface Keys {
  readonly leases: string;
  readonly paid: string;
  readonly replaced: string;
}

interface Renewal {
  readonly stream: StreamOf;
  readonly most: number;
  readonly paysMs: number;
}

type Script = (...args: readonly (string | number)[]) => Promise<number>;
type Scripts = Redis &
  Readonly<Record<'takeStreamLease' | 'unpayStreamMinute' | 'returnStreamMinute', Script>> & {
    renewStreamLeases(lastsMs: number, lines: string): Promise<readonly number[]>;
    confirmStreamMinutes(lines: string): Promise<readonly number[]>;
  };

const RENEWED: Readonly<Record<number, Renewed>> = { [-2]: 'replaced', [-1]: 'full', 0: 'kept' };

/** Each would get the verdict of another. */
function requireAll(streams: readonly unknown[], codes: readonly number[]): void {
  if (codes.length !== streams.length) throw new Error(`${streams.length} streams, ${codes.length} verdicts`);
}

/** How the connections of one deployment are named in Redis. */
function namesIn(deployment: string) {
  const hashed = (...of: readonly string[]): string =>
    createHash('sha1')
      .update(JSON.stringify([deployment, ...of]))
      .digest('base64url');
  // Only a key's own connections: another's names nothing.
  const memberOf = ({ keyId, connection }: StreamOf): string => `${keyId} ${connection}`;

  /** Each is computed once while its connection is open. */
  const named = new WeakMap<StreamOf, Keys>();
  const keysOf = (stream: StreamOf): Keys => {
    const known = named.get(stream);
    if (known) return known;
    const of = [stream.accountId, memberOf(stream)] as const;
    const keys = {
      leases: `streams:${hashed(stream.accountId)}`,
      paid: `streams:paid:${hashed(...of)}`,
      replaced: `streams:replaced:${hashed(...of)}`,
    };
    named.set(stream, keys);
    return keys;
  };
  const lineOf = ({ stream, most, paysMs }: Renewal): string => {
    const { leases, paid, replaced } = keysOf(stream);
    return `${leases} ${replaced} ${paysMs > 0 ? paid : '-'} ${Math.ceil(paysMs)} ${most} ${memberOf(stream)}\n`;
  };
  return { keysOf, memberOf, lineOf };
}

/** Processes with the same `deployment` share their counts. */
export function createStreamLeases(redis: Redis, deployment: string, lastsMs = LASTS_MS): StreamLeases {
  redis.defineCommand('takeStreamLease', { numberOfKeys: 5, lua: TAKE });
  redis.defineCommand('renewStreamLeases', { numberOfKeys: 0, lua: RENEW });
  redis.defineCommand('confirmStreamMinutes', { numberOfKeys: 0, lua: CONFIRM });
  redis.defineCommand('unpayStreamMinute', { numberOfKeys: 2, lua: UNPAY });
  redis.defineCommand('returnStreamMinute', { numberOfKeys: 2, lua: RETURN });
  const reach = createReach(redis);
  const { keysOf, memberOf, lineOf } = namesIn(deployment);
  const givenBack = new WeakSet<StreamOf>();
  const renew = sentTogether(async (all: readonly Renewal[]): Promise<readonly Renewed[]> => {
    // A connection that ended while its renewal waited would get a lease that nothing returns.
    const open = all.filter(({ stream }) => !givenBack.has(stream));
    if (open.length === 0) return all.map(() => 'left');
    const codes = await reach(() => (redis as Scripts).renewStreamLeases(lastsMs, open.map(lineOf).join('')));
    requireAll(open, codes);
    let at = 0;
    return all.map((one) => (one === open[at] ? RENEWED[codes[at++]!]! : 'left'));
  }, MOST_TOGETHER);
  const confirm = sentTogether(async (all: readonly StreamOf[]): Promise<readonly boolean[]> => {
    const lines = all.map(keysOf).map(({ paid, replaced }) => `${paid} ${replaced}\n`);
    const codes = await reach(() => (redis as Scripts).confirmStreamMinutes(lines.join('')));
    requireAll(all, codes);
    return codes.map((code) => code === 1);
  }, MOST_TOGETHER);

  return {
    confirm,
    renew: (stream, most, paysMs = 0) => renew({ stream, most, paysMs }),
    async take(stream, most, { replaces = null } = {}) {
      const other = replaces === null ? stream : { ...stream, connection: replaces };
      const [own, its] = [keysOf(stream), keysOf(other)];
      const keys = [own.leases, own.paid, own.replaced, its.paid, its.replaced];
      const whom = replaces === null ? '' : memberOf(other);
      const given = [memberOf(stream), most, lastsMs, REMEMBERED_MS, whom];
      const left = await reach(() => (redis as Scripts).takeStreamLease(...keys, ...given));
      if (left === -2) return 'replaced';
      return left === -1 ? 'full' : { paidMs: left };
    },
    async unpay(stream) {
      const { paid, replaced } = keysOf(stream);
      return (await reach(() => (redis as Scripts).unpayStreamMinute(paid, replaced))) === 1;
    },
    returnPaid: async (stream, replaced) => {
      const keys = [keysOf(stream).paid, keysOf({ ...stream, connection: replaced }).paid];
      await reach(() => (redis as Scripts).returnStreamMinute(...keys));
    },
    giveBack: async (stream) => {
      givenBack.add(stream);
      await reach(() => redis.zrem(keysOf(stream).leases, memberOf(stream)));
    },
  };
}
