// API keys by their SHA-256 (D18). The key itself is never stored and never logged.
import { hash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

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

export interface StoredKey extends ApiKeyRow {
  /** Unchanged when the key is replaced (D38): limits and usage count by it. */
  readonly keyId: string;
  /** Keys of an account share its plan and its credits. */
  readonly accountId: string;
  readonly accountSince: Instant;
  /** The account continues beyond its allowance and pays for it, if its plan allows it (A 8). */
  readonly overage: boolean;
  /** Changes with every change of the key or of its account (D36). */
  readonly epoch: number;
  /** The account's own key; false for a team key. */
  readonly isPrimary: boolean;
  /** 1, plus one for each replacement. */
  readonly version: number;
  readonly rotatedAt: Instant | null;
  /** For a replaced key: it works until then. */
  readonly expiresAt: Instant | null;
  /** CIDR; empty: every address may use the key. */
  readonly allowedAddresses: readonly string[];
  /** The scopes of a team key (D68); null: everything. */
  readonly scopes: readonly string[] | null;
}

export interface KeyStore {
  /** `hashes`: SHA-256 of each key (D18). One row per hash, in order; null if the key is unknown or revoked. */
  find(hashes: readonly Buffer[]): Promise<readonly (StoredKey | null)[]>;
  /** `accountId`: an existing account, whose plan the key has, whatever `row` has. Default: a new account. */
  insert(hash: Buffer, row: ApiKeyRow, accountId?: string): Promise<void>;
}

export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

const FIND = `
  SELECT key_hash AS "keyHash", last4, label, a.plan, role, bookmaker_key AS "bookmakerKey", issued_at AS "issuedAt",
         key_id AS "keyId", account_id AS "accountId", created_at AS "accountSince", a.overage, epoch,
         is_primary AS "isPrimary", version, rotated_at AS "rotatedAt", expires_at AS "expiresAt",
         allowed_addresses::text[] AS "allowedAddresses", scopes
    FROM api_keys k JOIN accounts a USING (account_id) WHERE key_hash = ANY($1) AND revoked_at IS NULL`;

export function createKeyStore(pool: Pool): KeyStore {
  return {
    async find(hashes) {
      const query = { name: 'keys-find', text: FIND, values: [hashes] };
      const { rows } = await pool.query<StoredKey & { readonly keyHash: Buffer }>(query);
      const found = new Map(rows.map(({ keyHash, ...row }) => [keyHash.toString('base64'), row]));
      return hashes.map((each) => found.get(each.toString('base64')) ?? null);
    },
    async insert(hash, row, accountId) {
      await pool.query(
        `INSERT INTO api_keys (key_hash, last4, label, plan, role, bookmaker_key, issued_at, account_id)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [hash, row.last4, row.label, row.plan, row.role, row.bookmakerKey, row.issuedAt, accountId ?? null],
      );
    },
  };
}
