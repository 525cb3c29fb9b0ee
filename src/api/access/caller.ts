// Who is calling. A key is refused by its checksum before anything is looked up (D18), and looked up at most once in 30 seconds.
import { LRUCache } from 'lru-cache';
import { AppError, databaseAway } from '../../errors';
import { isWellFormedKey } from '../../plans/api-key';
import { type Plan, planNamed, seesBetslip } from '../../plans/plans';
import { type ApiKeyRow, hashApiKey, type KeyStore } from '../../store/keys';
import { isUnreachable } from '../../store/pg/unreachable';

export interface Caller {
  readonly role: 'customer' | 'internal';
  readonly plan: Plan;
  /** Grandfathered rights follow it (D11). */
  readonly issuedAt: string;
  readonly label: string;
  readonly last4: string;
}

/** What of a plan may change what a body says. Answers are shared by all whose rights are the same: a handler must know no more. */
export interface Rights {
  readonly betslip: boolean;
}

const BETSLIP: Rights = { betslip: true };
const NONE: Rights = { betslip: false };

export const rightsOf = (caller: Caller | null): Rights => (caller && seesBetslip(caller.plan) ? BETSLIP : NONE);

export interface Callers {
  /** Whose key this is; throws `unauthorized`. */
  identify(key: string): Promise<Caller>;
}

const REMEMBERED_MS = 30_000;
/** While the database is away, a key that was good a moment ago still is. */
const REMEMBERED_AWAY_MS = 15 * 60_000;
const MOST_REMEMBERED = 10_000;

interface CachedCaller {
  readonly caller: Caller;
  readonly atMs: number;
}

/**
 * A revoked key works for at most 30 s more; an unknown key is never remembered, so a new key works at once. Keys are cached by
 * their hash only.
 */
export function createCallers(keys: KeyStore, wallMs: () => number = Date.now): Callers {
  const remembered = new LRUCache<string, CachedCaller>({ max: MOST_REMEMBERED });

  const isFresh = (known: CachedCaller, forMs: number): boolean => wallMs() - known.atMs < forMs;

  const remember = (id: string, caller: Caller): CachedCaller => {
    const known = { caller, atMs: wallMs() };
    remembered.set(id, known);
    return known;
  };

  const lookUp = async (id: string, key: string): Promise<CachedCaller> => {
    if (!isWellFormedKey(key))
      throw new AppError('unauthorized', 'The key in X-API-Key is malformed: check it for typing errors.');
    const row = await keys.find(hashApiKey(key));
    if (row) return remember(id, callerOf(row));
    remembered.delete(id);
    throw new AppError('unauthorized', 'The key in X-API-Key is unknown or revoked.');
  };

  const find = async (key: string): Promise<CachedCaller> => {
    if (key === '') throw new AppError('unauthorized', 'Send your key in the X-API-Key header.');
    const id = hashApiKey(key).toString('base64');
    const held = remembered.get(id);
    if (held && isFresh(held, REMEMBERED_MS)) return held;
    return lookUp(id, key).catch((error: unknown) => {
      if (!isUnreachable(error)) throw error;
      if (held && isFresh(held, REMEMBERED_AWAY_MS)) return held;
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
