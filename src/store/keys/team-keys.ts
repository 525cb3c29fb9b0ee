// The keys of an account as its owner manages them. Every change locks the account first, as replacing a key does, so
// that limits are exact and no replacement copies a row that is being changed. Keys of operators are neither listed nor
// changed. The notice of a change is written with it.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { type NoticeOf, noticeChange } from '../accounts/notices/notice';
import { inTransaction } from '../pg/transaction';
import type { Sealer } from '../secrets/sealer';

export interface AccountKey {
  readonly keyId: string;
  readonly last4: string;
  readonly label: string;
  readonly isPrimary: boolean;
  readonly issuedAt: Instant;
  readonly version: number;
  readonly rotatedAt: Instant | null;
  /** The expiry of the key that this one replaced; null if it no longer works. */
  readonly previousValidUntil: Instant | null;
  /** CIDR; empty: every address may use the key. */
  readonly allowedAddresses: readonly string[];
  /** The scopes (D68); null: everything, always so for the primary key. */
  readonly scopes: readonly string[] | null;
  /** Charged calls of the month, and their credits. */
  readonly calls: number;
  readonly credits: number;
  /** The last charged call ever. */
  readonly lastUsedAt: Instant | null;
}

/** As of an instant, with the use of a month. */
interface KeysAt {
  readonly accountId: string;
  readonly at: Instant;
  /** First day of a UTC month. */
  readonly period: string;
}

interface KeyDraft {
  readonly hash: Buffer;
  readonly last4: string;
  readonly label: string;
  readonly allowedAddresses: readonly string[];
  readonly scopes: readonly string[] | null;
  /** Refused while another key of the account has its label, so that a form that is sent twice adds one key. */
  readonly isLabelOwn?: boolean;
}

export interface KeyChange {
  readonly label?: string;
  readonly allowedAddresses?: readonly string[];
  /** Null: everything. */
  readonly scopes?: readonly string[] | null;
}

/** A key as a notice names it. */
interface NamedKey {
  readonly keyId: string;
  readonly last4: string;
  readonly isPrimary: boolean;
}

/** As they are stored. */
interface NewAddresses extends NamedKey {
  readonly allowedAddresses: readonly string[];
}

/** Who changes the keys of an account. */
export interface KeyManager {
  readonly accountId: string;
  /** The key that sent the request; none with a session. */
  readonly keyHash?: Buffer;
}

/** The key that sent the request was replaced or revoked meanwhile. Nothing is changed. */
export class KeyEndedError extends Error {
  override readonly name = 'KeyEndedError';
}

/** A key of the account has the label. Nothing is changed. */
export class LabelTakenError extends Error {
  override readonly name = 'LabelTakenError';
}

/** Changes reject with `KeyEndedError`, because a process may learn seconds later that the key ended. */
export interface TeamKeyStore {
  /** Those that work and are not replaced, the primary one first. */
  list(keys: KeysAt): Promise<readonly AccountKey[]>;
  /** SHA-256 of the primary key; null: none works. */
  primaryHash(accountId: string): Promise<Buffer | null>;
  /**
   * `mostOf`: how many keys an account on this plan may have. Resolves to the key's id, or to null if the account has
   * as many.
   */
  add(
    by: KeyManager,
    key: KeyDraft & { readonly notice: NoticeOf<NamedKey> },
    at: Instant,
    mostOf: (plan: string) => number,
  ): Promise<string | null>;
  /** For the key and the one that it replaced. `notice`: of another list. False: the account has no such key. */
  change(
    by: KeyManager,
    keyId: string,
    change: KeyChange & { readonly notice: NoticeOf<NewAddresses> },
  ): Promise<boolean>;
  /**
   * The same list for the key and the one that it replaced, primary or not; as stored. Null: the account has no such
   * key.
   */
  restrict(
    by: KeyManager,
    keyId: string,
    to: { readonly allowedAddresses: readonly string[]; readonly notice: NoticeOf<NewAddresses> },
  ): Promise<readonly string[] | null>;
  /** Ends the key and the one that it replaced. False: the account has no such key, or it is the primary one. */
  end(by: KeyManager, keyId: string, at: Instant, notice: NoticeOf<NamedKey>): Promise<boolean>;
}

const OF_CUSTOMER = `account_id = $1 AND role = 'customer' AND revoked_at IS NULL`;

const STILL_WORKS = 'SELECT FROM api_keys WHERE key_hash = $1 AND revoked_at IS NULL AND expires_at IS NULL';

const LIST = `
  SELECT key_id AS "keyId", last4, label, is_primary AS "isPrimary", issued_at AS "issuedAt", version, rotated_at AS "rotatedAt",
         (SELECT max(expires_at) FROM api_keys p WHERE p.key_id = k.key_id AND p.revoked_at IS NULL AND p.expires_at > $2)
           AS "previousValidUntil",
         allowed_addresses::text[] AS "allowedAddresses", scopes,
         u.calls, u.credits, u.last_at AS "lastUsedAt"
    FROM api_keys k
   CROSS JOIN LATERAL (
         SELECT COALESCE(sum(calls) FILTER (WHERE in_period), 0)::bigint AS calls,
                COALESCE(sum(credits) FILTER (WHERE in_period), 0)::bigint AS credits, max(last_at) AS last_at
           FROM (SELECT *, day >= $3::date AND day < $3::date + interval '1 month' AS in_period
                   FROM credit_usage WHERE account_id = $1 AND key_id = k.key_id) d) u
   WHERE ${OF_CUSTOMER} AND expires_at IS NULL
   ORDER BY is_primary DESC, issued_at, key_id`;

const ADD = `
  INSERT INTO api_keys (key_hash, last4, label, plan, issued_at, account_id, allowed_addresses, scopes)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  RETURNING key_id AS "keyId"`;

const CHANGE = `
  UPDATE api_keys SET label = COALESCE($3, label), allowed_addresses = COALESCE($4::cidr[], allowed_addresses),
         scopes = CASE WHEN $5::boolean THEN $6::text[] ELSE scopes END
   WHERE ${OF_CUSTOMER} AND key_id = $2`;

const LISTED = `
  SELECT last4, is_primary AS "isPrimary", allowed_addresses::text[] AS "allowedAddresses" FROM api_keys
   WHERE account_id = $1 AND key_id = $2 AND revoked_at IS NULL ORDER BY version DESC LIMIT 1`;

const RESTRICT = `
  UPDATE api_keys SET allowed_addresses = $3 WHERE account_id = $1 AND key_id = $2 AND revoked_at IS NULL
  RETURNING allowed_addresses::text[] AS list`;

const END = `UPDATE api_keys SET revoked_at = $3 WHERE ${OF_CUSTOMER} AND key_id = $2 AND NOT is_primary RETURNING last4, version`;

export function createTeamKeyStore(pool: Pool, sealer: Sealer): TeamKeyStore {
  type Work<T> = (client: ClientBase, plan: string) => Promise<T>;
  const inAccount = <T>({ accountId, keyHash }: KeyManager, work: Work<T>): Promise<T> =>
    inTransaction(pool, async (client) => {
      const text = 'SELECT plan FROM accounts WHERE account_id = $1 FOR NO KEY UPDATE';
      const { rows } = await client.query<{ readonly plan: string }>(text, [accountId]);
      if (keyHash && (await client.query(STILL_WORKS, [keyHash])).rowCount === 0) throw new KeyEndedError();
      return work(client, rows[0]!.plan);
    });

  return {
    async list({ accountId, at, period }) {
      const query = { name: 'account-keys', text: LIST, values: [accountId, at, period] };
      return (await pool.query<AccountKey>(query)).rows;
    },
    async primaryHash(accountId) {
      const text = `SELECT key_hash AS hash FROM api_keys WHERE ${OF_CUSTOMER} AND is_primary AND expires_at IS NULL`;
      return (await pool.query<{ readonly hash: Buffer }>(text, [accountId])).rows[0]?.hash ?? null;
    },
    add: (by, { hash, last4, label, allowedAddresses, scopes, isLabelOwn = false, notice }, at, mostOf) =>
      inAccount(by, async (client, plan) => {
        const { accountId } = by;
        const text = `SELECT count(*) AS keys, COALESCE(bool_or(label = $2), false) AS taken FROM api_keys WHERE ${OF_CUSTOMER} AND expires_at IS NULL`;
        const { rows: counted } = await client.query<{ keys: number; taken: boolean }>(text, [accountId, label]);
        if (isLabelOwn && counted[0]!.taken) throw new LabelTakenError();
        if (counted[0]!.keys >= mostOf(plan)) return null;
        const values = [hash, last4, label, plan, at, accountId, allowedAddresses, scopes];
        const { rows } = await client.query<{ readonly keyId: string }>(ADD, values);
        const { keyId } = rows[0]!;
        await noticeChange(client, sealer, accountId, notice, { keyId, last4, isPrimary: false });
        return keyId;
      }),
    change: (by, keyId, { label = null, allowedAddresses = null, scopes, notice }) =>
      inAccount(by, async (client) => {
        const noticeNow = await addressesWatched(client, sealer, { accountId: by.accountId, keyId, notice });
        const values = [by.accountId, keyId, label, allowedAddresses, scopes !== undefined, scopes ?? null];
        const { rowCount } = await client.query(CHANGE, values);
        await noticeNow();
        return rowCount !== 0;
      }),
    restrict: (by, keyId, { allowedAddresses, notice }) =>
      inAccount(by, async (client) => {
        const noticeNow = await addressesWatched(client, sealer, { accountId: by.accountId, keyId, notice });
        const values = [by.accountId, keyId, allowedAddresses];
        const { rows } = await client.query<{ readonly list: readonly string[] }>(RESTRICT, values);
        await noticeNow();
        return rows[0]?.list ?? null;
      }),
    end: (by, keyId, at, notice) =>
      inAccount(by, async (client) => {
        const values = [by.accountId, keyId, at];
        const { rows } = await client.query<{ readonly last4: string; readonly version: number }>(END, values);
        const newest = rows.toSorted((a, b) => b.version - a.version)[0];
        if (!newest) return false;
        const ended = { keyId, last4: newest.last4, isPrimary: false };
        await noticeChange(client, sealer, by.accountId, notice, ended);
        return true;
      }),
  };
}

/** Before a change of the account that is locked; after it, call the result: it notices another list. */
async function addressesWatched(
  client: ClientBase,
  sealer: Sealer,
  of: { readonly accountId: string; readonly keyId: string; readonly notice: NoticeOf<NewAddresses> },
): Promise<() => Promise<void>> {
  const { accountId, keyId, notice } = of;
  const read = async () => (await client.query<Omit<NewAddresses, 'keyId'>>(LISTED, [accountId, keyId])).rows[0];
  const sorted = (key: Pick<NewAddresses, 'allowedAddresses'>) => key.allowedAddresses.toSorted().join();
  const before = await read();
  return async () => {
    const after = await read();
    if (!before || !after || sorted(before) === sorted(after)) return;
    await noticeChange(client, sealer, accountId, notice, { keyId, ...after });
  };
}
