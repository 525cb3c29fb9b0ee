// The keys as operators see them: listed, revoked, moved to another plan. Every change is announced to the API processes by a trigger
// (`key-changes.ts`). Never has a key itself.
import type { Pool } from 'pg';
import type { Instant } from '../domain/race/race';
import type { ApiKeyRow } from './keys';

export interface RegisteredKey extends ApiKeyRow {
  /** The key's SHA-256 in hexadecimal: names a key, and opens nothing. */
  readonly id: string;
  readonly revokedAt: Instant | null;
}

export interface KeyRegister {
  /** Oldest first. */
  list(): Promise<readonly RegisteredKey[]>;
  /** The keys with these last four characters, or whose id begins with `name`. Oldest first. */
  named(name: string): Promise<readonly RegisteredKey[]>;
  /** Leaves a key as it is that is revoked already. */
  revoke(id: string, at: Instant): Promise<void>;
  setPlan(id: string, plan: string): Promise<void>;
}

/** Shorter ones would be mistaken for the last four characters of another key. */
const SHORTEST_ID = 8;

const SELECT = `
  SELECT encode(key_hash, 'hex') AS id, last4, label, plan, role, bookmaker_key AS "bookmakerKey", issued_at AS "issuedAt",
         revoked_at AS "revokedAt"
    FROM api_keys`;
const ORDER = 'ORDER BY issued_at, key_hash';

export function createKeyRegister(pool: Pool): KeyRegister {
  return {
    list: async () => (await pool.query<RegisteredKey>(`${SELECT} ${ORDER}`)).rows,
    async named(name) {
      const id = new RegExp(`^[0-9a-f]{${SHORTEST_ID},64}$`, 'i').test(name) ? name.toLowerCase() : null;
      const where = `WHERE last4 = $1 OR starts_with(encode(key_hash, 'hex'), $2)`;
      return (await pool.query<RegisteredKey>(`${SELECT} ${where} ${ORDER}`, [name, id])).rows;
    },
    async revoke(id, at) {
      const text = `UPDATE api_keys SET revoked_at = $2 WHERE key_hash = decode($1, 'hex') AND revoked_at IS NULL`;
      await pool.query(text, [id, at]);
    },
    async setPlan(id, plan) {
      await pool.query(`UPDATE api_keys SET plan = $2 WHERE key_hash = decode($1, 'hex')`, [id, plan]);
    },
  };
}
