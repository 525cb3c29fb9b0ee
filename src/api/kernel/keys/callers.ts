// Identifies the caller by its key. A malformed key is refused by its checksum without a look-up (D18); a valid one is
// looked up at most every 30 seconds, an unknown one once a minute. Requests refused for their key are counted by
// address, after they are judged (D37).
import { AppError, databaseAway } from '../../../errors';
import { isWellFormedKey } from '../../../plans/api-key';
import { planNamed } from '../../../plans/plans';
import type { KeyChanges } from '../../../store/keys/key-changes';
import { hashApiKey, type KeyStore, type StoredKey } from '../../../store/keys/keys';
import { isUnreachable } from '../../../store/pg/unreachable';
import type { AddressBudget } from '../../../store/redis/address-budget';
import type { Caller } from '../endpoint/caller';
import { overLimit } from '../limits/ip-limit';
import { createKeyCache, type KeyCache } from './key-cache';
import { createKeyLanes } from './key-lanes';

export interface Callers {
  /** The owner of this key, which a client of this network sent. Throws what `refusalOf` resolves to. */
  identify(key: string, network: string): Promise<Caller>;
  /**
   * For how many milliseconds `identify` returns this very caller without looking it up, unless `changes` rises. 0 or
   * less: it does not.
   */
  currentForMs(caller: Caller): number;
  /** How often a caller may have stopped to be current before its time. */
  changes(): number;
  /** Counts a request of the network that is refused for its key: past the limit, the refusal is a `rate_limit`. */
  refusalOf(network: string, refusal: AppError): Promise<AppError>;
  /** The owner as currently stored. Throws `unauthorized` if the key was revoked. */
  refresh(caller: Pick<Caller, 'keyHash'>): Promise<Caller>;
}

export interface CallerDeps {
  readonly keys: Pick<KeyStore, 'find'>;
  readonly changes: KeyChanges;
  /** Counts requests that are refused for their key. */
  readonly attempts: AddressBudget;
  /** Decides when a replaced key ends. */
  wallMs?(): number;
  /** Monotonic: how long something is cached or slowed down. */
  elapsedMs?(): number;
}

const unknownKey = (): AppError => new AppError('unauthorized', 'The key in X-API-Key is unknown or revoked.');

const replacedKey = (): AppError =>
  new AppError('unauthorized', 'The key in X-API-Key was replaced, and its last day is over: send its replacement.');

const missingKey = (): AppError => new AppError('unauthorized', 'Send your key in the X-API-Key header.');

const malformedKey = (): AppError =>
  new AppError('unauthorized', 'The key in X-API-Key is malformed: check it for typing errors.');

/** While the database is unavailable. */
const CACHED_OFFLINE_MS = 15 * 60_000;
/** Requests of one network that are refused for their key. */
const REFUSED_PER_MINUTE = 60;
const REFUSED_OVER = `Each address may send ${REFUSED_PER_MINUTE} requests a minute without a key that is accepted from it.`;

/**
 * A new, changed or revoked key takes effect at once in every process; without announcements (a pooler, a lost
 * connection) a revoked key works for at most 5 s more, and a new key at once. No valid key is refused because of what
 * others of its network send (D37).
 */
export function createCallers({
  keys,
  changes,
  attempts,
  wallMs = Date.now,
  elapsedMs = () => performance.now(),
}: CallerDeps): Callers {
  const cache = createKeyCache<Caller>(changes, elapsedMs);
  const lanes = createKeyLanes(keys, elapsedMs);

  /** `network` null: a flood cannot have sent this key. */
  const lookedUp = (id: string, hash: Buffer, network: string | null): Promise<Caller | null> =>
    cache.lookUp(id, async () => {
      const row = await lanes.find(hash, network);
      return row && callerOf(hash, row);
    });

  const working = (caller: Caller): Caller | AppError => workingAt(wallMs(), caller);
  const judge = async (key: string, network: string): Promise<Caller | AppError> => {
    if (key === '') return missingKey();
    const hash = hashApiKey(key);
    const id = hash.toString('base64');
    const cached = cache.get(id);
    if (cached && cache.freshForMs(cached) > 0) return working(cached.caller);
    if (!cached && !isWellFormedKey(key)) return malformedKey();
    try {
      const caller = cache.isUnknown(id) ? null : await lookedUp(id, hash, cached ? null : network);
      return caller ? working(caller) : unknownKey();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      if (cached && elapsedMs() - cached.atMs < CACHED_OFFLINE_MS) return working(cached.caller);
      throw databaseAway();
    }
  };

  const refusalOf: Callers['refusalOf'] = async (network, refusal) => {
    // The name of the counter is shared with processes of other versions.
    const waitMs = await attempts.take(`unknown keys of ${network}`, REFUSED_PER_MINUTE);
    if (waitMs === 0) return refusal;
    lanes.slowDown(network, waitMs);
    return overLimit(REFUSED_OVER, waitMs);
  };

  return {
    async identify(key, network) {
      const judged = await judge(key, network);
      if (judged instanceof AppError) throw await refusalOf(network, judged);
      return judged;
    },
    currentForMs: (caller) => Math.min(freshForMs(cache, caller), endsInMs(wallMs(), caller)),
    changes: cache.changes,
    refusalOf,
    async refresh({ keyHash }) {
      const id = keyHash.toString('base64');
      cache.forget(id);
      const caller = await lookedUp(id, keyHash, null);
      const judged = caller ? working(caller) : unknownKey();
      if (judged instanceof AppError) throw judged;
      return judged;
    },
  };
}

function freshForMs(cache: KeyCache<Caller>, caller: Caller): number {
  const cached = cache.get(idOf(caller));
  return cached?.caller === caller ? cache.freshForMs(cached) : 0;
}

/** By caller: it is needed again and again while a stream is open. */
const ids = new WeakMap<Caller, string>();

function idOf(caller: Caller): string {
  const id = ids.get(caller) ?? caller.keyHash.toString('base64');
  ids.set(caller, id);
  return id;
}

/** Until the last day of a replaced key is over. */
const endsInMs = (wallMs: number, { expiresAt }: Caller): number =>
  expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - wallMs;

/** The refusal of a replaced key whose last day is over. */
const workingAt = (wallMs: number, caller: Caller): Caller | AppError =>
  endsInMs(wallMs, caller) > 0 ? caller : replacedKey();

function callerOf(keyHash: Buffer, row: StoredKey): Caller {
  const plan = planNamed(row.plan);
  if (!plan) throw new Error(`key ending ${row.last4} has the unknown plan '${row.plan}'`);
  return { ...row, keyHash, plan };
}
