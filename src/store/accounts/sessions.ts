// Console sessions by the SHA-256 of their token, which is never stored.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

interface StoredSession {
  readonly accountId: string;
  readonly accountSince: Instant;
  readonly plan: string;
  readonly expiresAt: Instant;
}

export interface SessionStore {
  /** Null for an unknown token, and for one that has expired by `at`. */
  find(tokenHash: Buffer, at: Instant): Promise<StoredSession | null>;
  insert(tokenHash: Buffer, accountId: string, at: Instant, expiresAt: Instant): Promise<void>;
  remove(tokenHash: Buffer): Promise<void>;
  /** `except`: the session that stays. */
  removeAll(accountId: string, except?: Buffer): Promise<void>;
}

export function createSessionStore(pool: Pool): SessionStore {
  return {
    async find(tokenHash, at) {
      const text = `
        SELECT account_id AS "accountId", a.created_at AS "accountSince", a.plan, s.expires_at AS "expiresAt"
          FROM sessions s JOIN accounts a USING (account_id) WHERE token_hash = $1 AND s.expires_at > $2`;
      const { rows } = await pool.query<StoredSession>({ name: 'session', text, values: [tokenHash, at] });
      return rows[0] ?? null;
    },
    async insert(tokenHash, accountId, at, expiresAt) {
      const text = 'INSERT INTO sessions (token_hash, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4)';
      await pool.query(text, [tokenHash, accountId, at, expiresAt]);
    },
    async remove(tokenHash) {
      await pool.query('DELETE FROM sessions WHERE token_hash = $1', [tokenHash]);
    },
    async removeAll(accountId, except) {
      const text = 'DELETE FROM sessions WHERE account_id = $1 AND ($2::bytea IS NULL OR token_hash <> $2)';
      await pool.query(text, [accountId, except ?? null]);
    },
  };
}
