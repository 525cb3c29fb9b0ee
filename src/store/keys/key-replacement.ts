// Replaces a key (D38): the new one keeps key id, account, label, issue instant, allow-list and scopes (a trigger keeps
// these), and has the next version. At most one previous key works beside it. Has hashes only, never a key. Replaces
// customers' keys only: nothing here can create an operator's key. The notice of it is written with it.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { type NoticeOf, noticeChange } from '../accounts/notices/notice';
import { inTransaction } from '../pg/transaction';
import type { Sealer } from '../secrets/sealer';

/** The primary key of an account, or another one of it, or the key with this SHA-256. */
type Current = { readonly accountId: string; readonly keyId?: string } | { readonly keyHash: Buffer };

export type Replacement = Current & {
  readonly newHash: Buffer;
  /** Of the new key. */
  readonly last4: string;
  readonly at: Instant;
  /** Until when the replaced key works; null: it ends at once. The previous key ends at once in both cases. */
  readonly graceUntil: Instant | null;
  /**
   * The new key is shown in a browser. If one that was shown since this instant is the current one, and replaced a key
   * that still works, the current key ends at once and the earlier one keeps its grace: a repeated form does not end
   * the key in use. Not with `graceUntil` null.
   */
  readonly sparesSince?: Instant;
  readonly notice: NoticeOf<Replaced & NewVersion>;
};

/** The key that was made. */
interface NewVersion {
  readonly keyId: string;
  readonly last4: string;
  readonly at: Instant;
}

export interface Replaced {
  readonly version: number;
  /** `graceUntil`, or that of the earlier key that was spared. */
  readonly previousValidUntil: Instant | null;
  /** The replaced key has ended, and the one before it continues. */
  readonly isSpared: boolean;
}

export interface KeyReplacement {
  /**
   * One transaction. Null if there is nothing to replace: the key is unknown, revoked, or already replaced (so one of
   * two simultaneous replacements is refused), or the account has no working primary key.
   */
  replaceKey(replacement: Replacement): Promise<Replaced | null>;
}

/** A second replacement of the account waits here, and then sees what the first one wrote. Charges do not wait. */
const LOCK_ACCOUNT = `
  SELECT a.account_id FROM accounts a
   WHERE a.account_id = $1 OR a.account_id = (SELECT account_id FROM api_keys WHERE key_hash = $2) FOR NO KEY UPDATE`;

const INSERT = `
  INSERT INTO api_keys (key_hash, last4, label, plan, issued_at, key_id, account_id, is_primary, version, rotated_at, allowed_addresses, revealed)
  SELECT $3, $4, label, plan, issued_at, key_id, account_id, is_primary, version + 1, $5, allowed_addresses, $6
    FROM api_keys
   WHERE (account_id = $1 AND CASE WHEN $7::uuid IS NULL THEN is_primary ELSE key_id = $7 END OR key_hash = $2) AND role = 'customer' AND revoked_at IS NULL AND expires_at IS NULL
  RETURNING key_id AS "keyId", account_id AS "accountId", version`;

const END = `
  UPDATE api_keys SET revoked_at = CASE WHEN $4::timestamptz IS NULL OR expires_at IS NOT NULL THEN $3::timestamptz END, expires_at = $4
   WHERE key_id = $1 AND version < $2 AND revoked_at IS NULL`;

const SPARE = `
  UPDATE api_keys c SET revoked_at = $3
    FROM (SELECT expires_at FROM api_keys
           WHERE key_id = $1 AND version < $2 - 1 AND revoked_at IS NULL AND expires_at > $3 ORDER BY version DESC LIMIT 1) earlier
   WHERE c.key_id = $1 AND c.version = $2 - 1 AND c.revealed AND c.rotated_at >= $4
  RETURNING earlier.expires_at AS "validUntil"`;

/** `KeyReplacement.replaceKey` in a caller's transaction. */
export async function replaceKey(
  client: ClientBase,
  sealer: Sealer,
  replacement: Replacement,
): Promise<Replaced | null> {
  const made = await insertReplacement(client, replacement);
  if (!made) return null;
  const { keyId, accountId, replaced } = made;
  const { last4, at, notice } = replacement;
  await noticeChange(client, sealer, accountId, notice, { ...replaced, keyId, last4, at });
  return replaced;
}

interface Inserted {
  readonly keyId: string;
  readonly accountId: string;
  readonly version: number;
}

async function insertReplacement(
  client: ClientBase,
  replacement: Replacement,
): Promise<(Inserted & { readonly replaced: Replaced }) | null> {
  const { newHash, last4, at, graceUntil, sparesSince } = replacement;
  const accountId = 'accountId' in replacement ? replacement.accountId : null;
  const keyHash = 'keyHash' in replacement ? replacement.keyHash : null;
  const ofKey = 'keyId' in replacement ? replacement.keyId : null;
  await client.query(LOCK_ACCOUNT, [accountId, keyHash]);
  const values = [accountId, keyHash, newHash, last4, at, sparesSince !== undefined, ofKey];
  const inserted = await client.query<Inserted>(INSERT, values);
  const [current] = inserted.rows;
  if (!current) return null;
  const { keyId, version } = current;
  if (sparesSince !== undefined && graceUntil !== null) {
    const spared = await client.query<{ readonly validUntil: Instant }>(SPARE, [keyId, version, at, sparesSince]);
    const [earlier] = spared.rows;
    if (earlier) return { ...current, replaced: { version, previousValidUntil: earlier.validUntil, isSpared: true } };
  }
  await client.query(END, [keyId, version, at, graceUntil]);
  return { ...current, replaced: { version, previousValidUntil: graceUntil, isSpared: false } };
}

/** The newest version of the primary key, if it was revoked. */
const INSERT_AFTER_REVOKED = `
  INSERT INTO api_keys (key_hash, last4, label, plan, issued_at, key_id, account_id, is_primary, version, rotated_at, allowed_addresses)
  SELECT $2, $3, label, plan, issued_at, key_id, account_id, true, version + 1, $4, allowed_addresses
    FROM (SELECT * FROM api_keys WHERE account_id = $1 AND is_primary AND role = 'customer' ORDER BY version DESC LIMIT 1) newest
   WHERE revoked_at IS NOT NULL
  RETURNING version`;

export interface RevokedReplacement {
  readonly accountId: string;
  readonly newHash: Buffer;
  readonly last4: string;
  readonly at: Instant;
}

/**
 * For operators: the next version of a revoked primary key. Resolves to it; null if there is none, or if it works. In a
 * caller's transaction.
 */
export async function replaceRevoked(client: ClientBase, replacement: RevokedReplacement): Promise<number | null> {
  const { accountId, newHash, last4, at } = replacement;
  await client.query(LOCK_ACCOUNT, [accountId, null]);
  const values = [accountId, newHash, last4, at];
  const { rows } = await client.query<{ readonly version: number }>(INSERT_AFTER_REVOKED, values);
  return rows[0]?.version ?? null;
}

export function createKeyReplacement(pool: Pool, sealer: Sealer): KeyReplacement {
  return { replaceKey: (replacement) => inTransaction(pool, (client) => replaceKey(client, sealer, replacement)) };
}
