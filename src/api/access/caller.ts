// Identifies the caller by its key. A malformed key is refused by its checksum without a look-up (D18); a good one is looked up at most every 30
// seconds, an unknown one once a minute, and of unknown ones only so many for an address.
import { AppError, databaseAway } from '../../errors';
import { isWellFormedKey } from '../../plans/api-key';
import { type Plan, planNamed, seesBetslip } from '../../plans/plans';
import type { KeyChanges } from '../../store/key-changes';
import { type ApiKeyRow, hashApiKey, type KeyStore } from '../../store/keys';
import { isUnreachable } from '../../store/pg/unreachable';
import type { AddressBudget } from '../../store/redis/address-budget';
import { overLimit } from './ip-limit';
import { createKeyCache } from './key-cache';

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
  /** The owner of this key, which a client of this network sent. Throws `unauthorized`, or `rate_limit`. */
  identify(key: string, network: string): Promise<Caller>;
}

export interface CallerDeps {
  readonly keys: Pick<KeyStore, 'find'>;
  readonly changes: KeyChanges;
  /** Counts look-ups that find nothing. */
  readonly attempts: AddressBudget;
  wallMs?(): number;
}

/** While the database is unavailable. */
const CACHED_OFFLINE_MS = 15 * 60_000;
/** Keys of one network that are looked up and not found. */
const UNKNOWN_PER_MINUTE = 60;
export const UNCHECKED = `Each address may send ${UNKNOWN_PER_MINUTE} unknown keys a minute; this key was not checked.`;

/**
 * A new, changed or revoked key counts at once in every process; without announcements (a pooler, a lost connection) a revoked key works for
 * at most 30 s more, and a new key at once. A key that this process has cached is never refused for what others of its network send.
 */
export function createCallers({ keys, changes, attempts, wallMs = Date.now }: CallerDeps): Callers {
  const cache = createKeyCache<Caller>(changes, wallMs);

  const rowOf = async (hash: Buffer): Promise<Caller | null> => {
    const row = await keys.find(hash);
    return row && callerOf(row);
  };

  /** Taken before the look-up, so that many at once cannot pass together; given back unless the key is unknown. */
  const counted = async (network: string, lookUp: () => Promise<Caller | null>): Promise<Caller | null> => {
    const counter = `unknown keys of ${network}`;
    const waitMs = await attempts.take(counter, UNKNOWN_PER_MINUTE);
    if (waitMs > 0) throw overLimit(UNCHECKED, waitMs);
    let isUnknown = false;
    try {
      const caller = await lookUp();
      isUnknown = caller === null;
      return caller;
    } finally {
      if (!isUnknown) await attempts.giveBack(counter, UNKNOWN_PER_MINUTE);
    }
  };

  const lookedUp = (key: string, network: string, hash: Buffer, id: string): Promise<Caller | null> => {
    const lookUp = () => cache.lookUp(id, () => rowOf(hash));
    if (cache.get(id)) return lookUp();
    if (!isWellFormedKey(key))
      throw new AppError('unauthorized', 'The key in X-API-Key is malformed: check it for typing errors.');
    return counted(network, lookUp);
  };

  return {
    async identify(key, network) {
      if (key === '') throw new AppError('unauthorized', 'Send your key in the X-API-Key header.');
      const hash = hashApiKey(key);
      const id = hash.toString('base64');
      const cached = cache.get(id);
      if (cached && cache.isFresh(cached)) return cached.caller;
      try {
        const caller = cache.isUnknown(id) ? null : await lookedUp(key, network, hash, id);
        if (caller) return caller;
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        if (cached && wallMs() - cached.atMs < CACHED_OFFLINE_MS) return cached.caller;
        throw databaseAway();
      }
      throw new AppError('unauthorized', 'The key in X-API-Key is unknown or revoked.');
    },
  };
}

function callerOf(row: ApiKeyRow): Caller {
  const plan = planNamed(row.plan);
  if (!plan) throw new Error(`key ending ${row.last4} has the unknown plan '${row.plan}'`);
  return { role: row.role, plan, issuedAt: row.issuedAt, label: row.label, last4: row.last4 };
}
