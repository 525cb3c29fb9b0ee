// Who is calling. A key is refused by its checksum before anything is looked up (D18), and looked up at most once in 30 seconds.
import { AppError } from '../errors';
import { isWellFormedKey } from '../plans/api-key';
import { type Plan, planNamed, seesBetslip } from '../plans/plans';
import { hashApiKey } from '../store/keys';
import type { ApiKeyRow, KeyStore } from '../store/store';
import { isUnreachable } from '../store/unreachable';

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

const NO_RIGHTS: Rights = { betslip: false };

export const rightsOf = (caller: Caller | null): Rights => (caller ? { betslip: seesBetslip(caller.plan) } : NO_RIGHTS);

export interface Callers {
  /** Whose key this is; throws `unauthorized`. */
  identify(key: string): Promise<Caller>;
}

const REMEMBERED_MS = 30_000;
/** While the database is away, a key that was good a moment ago still is. */
const REMEMBERED_AWAY_MS = 15 * 60_000;
const MOST_REMEMBERED = 10_000;

/** A revoked key works for at most 30 s more; an unknown key is never remembered, so a new key works at once. */
export function createCallers(keys: KeyStore, wallMs: () => number = Date.now): Callers {
  const remembered = new Map<string, { caller: Caller; atMs: number }>();

  const recall = (id: string, forMs: number): Caller | null => {
    const held = remembered.get(id);
    return held && wallMs() - held.atMs < forMs ? held.caller : null;
  };

  const remember = (id: string, caller: Caller): Caller => {
    remembered.delete(id);
    if (remembered.size >= MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!);
    remembered.set(id, { caller, atMs: wallMs() });
    return caller;
  };

  const lookUp = async (id: string, hash: Buffer): Promise<Caller> => {
    const row = await keys.find(hash);
    if (row) return remember(id, callerOf(row));
    remembered.delete(id);
    throw new AppError('unauthorized', 'The key in X-API-Key is unknown or revoked.');
  };

  return {
    async identify(key) {
      if (key === '') throw new AppError('unauthorized', 'Send your key in the X-API-Key header.');
      if (!isWellFormedKey(key)) throw new AppError('unauthorized', 'The key in X-API-Key is mistyped.');
      const hash = hashApiKey(key);
      const id = hash.toString('base64');
      const known = recall(id, REMEMBERED_MS);
      if (known) return known;
      return lookUp(id, hash).catch((error: unknown) => {
        if (!isUnreachable(error)) throw error;
        const lately = recall(id, REMEMBERED_AWAY_MS);
        if (lately) return lately;
        throw new AppError('unavailable', 'The database does not answer.', { retry_after_seconds: 5 });
      });
    },
  };
}

function callerOf(row: ApiKeyRow): Caller {
  const plan = planNamed(row.plan);
  if (!plan) throw new Error(`key ending ${row.last4} has the unknown plan '${row.plan}'`);
  return { role: row.role, plan, issuedAt: row.issuedAt, label: row.label, last4: row.last4 };
}
