// API keys by their SHA-256 (D18). The key itself is never stored and never logged.
import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Instant } from '../domain/race/race';

export interface ApiKeyRow {
  readonly last4: string;
  readonly label: string;
  readonly plan: string;
  /** `pusher`: pushes the prices of `bookmakerKey` and calls nothing else. */
  readonly role: 'customer' | 'internal' | 'pusher';
  /** Null for every other role. */
  readonly bookmakerKey: string | null;
  readonly issuedAt: Instant;
}

export interface KeyStore {
  /** `hashes`: SHA-256 of each key (D18). One row per hash, in order; null if the key is unknown or revoked. */
  find(hashes: readonly Buffer[]): Promise<readonly (ApiKeyRow | null)[]>;
  insert(hash: Buffer, row: ApiKeyRow): Promise<void>;
}

export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

const FIND = `
  SELECT key_hash AS "keyHash", last4, label, plan, role, bookmaker_key AS "bookmakerKey", issued_at AS "issuedAt"
    FROM api_keys WHERE key_hash = ANY($1) AND revoked_at IS NULL`;

export function createKeyStore(pool: Pool): KeyStore {
  return {
    async find(hashes) {
      const query = { name: 'keys-find', text: FIND, values: [hashes] };
      const { rows } = await pool.query<ApiKeyRow & { readonly keyHash: Buffer }>(query);
      const found = new Map(rows.map(({ keyHash, ...row }) => [keyHash.toString('base64'), row]));
      return hashes.map((each) => found.get(each.toString('base64')) ?? null);
    },
    async insert(hash, row) {
      await pool.query(
        `INSERT INTO api_keys (key_hash, last4, label, plan, role, bookmaker_key, issued_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [hash, row.last4, row.label, row.plan, row.role, row.bookmakerKey, row.issuedAt],
      );
    },
  };
}
