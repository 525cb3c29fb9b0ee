// Identifies the caller by its key. A malformed key is refused by its checksum without a lookup (D18); a valid one is looked up at most
// every 30 seconds.
import { LRUCache } from 'lru-cache';
import { AppError, databaseAway } from '../../errors';
import { isWellFormedKey } from '../../plans/api-key';
import { type Plan, planNamed, seesBetslip } from '../../plans/plans';
import { type ApiKeyRow, hashApiKey, type KeyStore } from '../../store/keys';
import { isUnreachable } from '../../store/pg/unreachable';

export interface Caller {
  readonly role: 'customer' | 'internal';
  readonly plan: Plan;
  /** Decides grandfathered rights (D11). */
  readonly issuedAt: string;
  readonly label: string;
  readonly last4: string;
}

/** The parts of a plan that may change a body. Handlers get nothing else of the caller: callers with equal rights share responses. */
export interface Rights {
  readonly betslip: boolean;
}

const BETSLIP: Rights = { betslip: true };
const NONE: Rights = { betslip: false };

export const rightsOf = (caller: Caller | null): Rights => (caller && seesBetslip(caller.plan) ? BETSLIP : NONE);

export interface Callers {
  /** The owner of this key. Throws `unauthorized`. */
  identify(key: string): Promise<Caller>;
}

const CACHED_MS = 30_000;
/** While the database is unavailable. */
const CACHED_OFFLINE_MS = 15 * 60_000;
const MOST_CACHED = 10_000;

interface CachedCaller {
  readonly caller: Caller;
  readonly atMs: number;
}

/**
 * A revoked key works for at most 30 s more. An unknown key is never cached, so a new key works at once. Keys are cached by their hash
 * only.
 */
export function createCallers(keys: KeyStore, wallMs: () => number = Date.now): Callers {
  const cache = new LRUCache<string, CachedCaller>({ max: MOST_CACHED });

  const isFresh = ({ atMs }: CachedCaller, forMs: number): boolean => wallMs() - atMs < forMs;

  const store = (id: string, caller: Caller): CachedCaller => {
    const entry = { caller, atMs: wallMs() };
    cache.set(id, entry);
    return entry;
  };

  const lookUp = async (id: string, key: string): Promise<CachedCaller> => {
    if (!isWellFormedKey(key))
      throw new AppError('unauthorized', 'The key in X-API-Key is malformed: check it for typing errors.');
    const row = await keys.find(hashApiKey(key));
    if (row) return store(id, callerOf(row));
    cache.delete(id);
    throw new AppError('unauthorized', 'The key in X-API-Key is unknown or revoked.');
  };

  const find = async (key: string): Promise<CachedCaller> => {
    if (key === '') throw new AppError('unauthorized', 'Send your key in the X-API-Key header.');
    const id = hashApiKey(key).toString('base64');
    const cached = cache.get(id);
    if (cached && isFresh(cached, CACHED_MS)) return cached;
    return lookUp(id, key).catch((error: unknown) => {
      if (!isUnreachable(error)) throw error;
      if (cached && isFresh(cached, CACHED_OFFLINE_MS)) return cached;
      throw databaseAway();
    });
  };

  return {
    identify: async (key) => (await find(key)).caller,
  };
}

function callerOf(row: ApiKeyRow): Caller {
  const plan = planNamed(row.plan);
  if (!plan) throw new Error(`key ending ${row.last4} has the unknown plan '${row.plan}'`);
  return { role: row.role, plan, issuedAt: row.issuedAt, label: row.label, last4: row.last4 };
}
