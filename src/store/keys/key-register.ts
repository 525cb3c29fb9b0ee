// Keys and their accounts as operators see them: keys are listed, revoked and replaced, accounts moved to another plan.
// A trigger announces every change to the API processes (`key-changes.ts`). Never has a key itself.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import { type RevokedReplacement, replaceRevoked } from './key-replacement';
import type { ApiKeyRow } from './keys';

export interface RegisteredKey extends ApiKeyRow {
  /** The key's SHA-256 in hexadecimal: identifies a key, and grants nothing. */
  readonly id: string;
  readonly accountId: string;
  readonly revokedAt: Instant | null;
}

export interface RegisteredAccount {
  readonly accountId: string;
  readonly plan: string;
  readonly createdAt: Instant;
  /** Of the owner; null: an operator opened it without one, or it is closed. */
  readonly email: string | null;
  /** Null: it is open. */
  readonly closedAt: Instant | null;
  /** Those that work, except replaced ones. */
  readonly keys: number;
}

export interface KeyRegister {
  /** Oldest first. */
  list(): Promise<readonly RegisteredKey[]>;
  /** The keys with these last four characters, or whose id begins with `name`. Oldest first. */
  named(name: string): Promise<readonly RegisteredKey[]>;
  /** Including the keys that it replaced. Resolves to the last four characters of its replacement, if one works. */
  revoke(id: string, at: Instant): Promise<string | null>;
  /**
   * The revoked primary key of an account. Resolves to the version of the new one; null if no primary key was revoked,
   * or one works.
   */
  replaceRevoked(replacement: RevokedReplacement): Promise<number | null>;
  /** The account whose id begins with `name`; null if there is none, or more than one. */
  account(name: string): Promise<Pick<RegisteredAccount, 'accountId' | 'plan' | 'closedAt'> | null>;
  /** Oldest first. */
  accounts(): Promise<readonly RegisteredAccount[]>;
  /**
   * For the account, so for all its keys. The plan stays whatever is bought, until it is released or another plan is
   * bought. Overage ends, unless the plan is one of `withOverage`: it is billed only after a new consent.
   */
  setPlan(accountId: string, plan: string, withOverage?: readonly string[]): Promise<void>;
  /** The account returns to the plan that it buys; `noPlan` if it buys none. Resolves to that plan. */
  releasePlan(accountId: string, noPlan: string, withOverage?: readonly string[]): Promise<string>;
}

/** Shorter ones would be mistaken for the last four characters of another key. */
const SHORTEST_ID = 8;
const ACCOUNT_NAME = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;

const SELECT = `
  SELECT encode(key_hash, 'hex') AS id, account_id AS "accountId", last4, label, a.plan, role, bookmaker_key AS "bookmakerKey",
         issued_at AS "issuedAt", revoked_at AS "revokedAt"
    FROM api_keys k JOIN accounts a USING (account_id)`;
const ACCOUNTS = `
  SELECT account_id AS "accountId", a.plan, created_at AS "createdAt", closed_at AS "closedAt", email,
         (SELECT count(*) FROM api_keys k WHERE k.account_id = a.account_id AND revoked_at IS NULL AND expires_at IS NULL) AS keys
    FROM accounts a LEFT JOIN account_owners USING (account_id) ORDER BY created_at, account_id`;
const ORDER = 'ORDER BY issued_at, key_hash';

// Like every change of keys: a replacement in progress is seen.
const LOCK_ACCOUNT = `
  SELECT FROM accounts WHERE account_id = (SELECT account_id FROM api_keys WHERE key_hash = decode($1, 'hex')) FOR NO KEY UPDATE`;
const REVOKE = `
  UPDATE api_keys k SET revoked_at = $2
    FROM api_keys named
   WHERE named.key_hash = decode($1, 'hex') AND k.key_id = named.key_id AND k.version <= named.version AND k.revoked_at IS NULL`;
const REPLACEMENT = `
  SELECT k.last4 FROM api_keys k JOIN api_keys named USING (key_id)
   WHERE named.key_hash = decode($1, 'hex') AND k.version > named.version AND k.revoked_at IS NULL ORDER BY k.version DESC LIMIT 1`;

const SET_PLAN = `
  UPDATE accounts SET plan = $2, plan_by_operator = true, overage = overage AND $2 = ANY ($3) WHERE account_id = $1`;
const RELEASE_PLAN = `
  UPDATE accounts a SET plan_by_operator = false, plan = bought.plan, overage = a.overage AND bought.plan = ANY ($3)
    FROM (SELECT COALESCE((SELECT plan FROM billing_accounts WHERE account_id = $1), $2) AS plan) bought
   WHERE account_id = $1 RETURNING a.plan`;

export function createKeyRegister(pool: Pool): KeyRegister {
  return {
    list: async () => (await pool.query<RegisteredKey>(`${SELECT} ${ORDER}`)).rows,
    async named(name) {
      const id = new RegExp(`^[0-9a-f]{${SHORTEST_ID},64}$`, 'i').test(name) ? name.toLowerCase() : null;
      const where = `WHERE last4 = $1 OR starts_with(encode(key_hash, 'hex'), $2)`;
      return (await pool.query<RegisteredKey>(`${SELECT} ${where} ${ORDER}`, [name, id])).rows;
    },
    revoke: (id, at) =>
      inTransaction(pool, async (client) => {
        await client.query(LOCK_ACCOUNT, [id]);
        await client.query(REVOKE, [id, at]);
        const { rows } = await client.query<{ readonly last4: string }>(REPLACEMENT, [id]);
        return rows[0]?.last4 ?? null;
      }),
    replaceRevoked: (replacement) => inTransaction(pool, (client) => replaceRevoked(client, replacement)),
    async account(name) {
      if (!ACCOUNT_NAME.test(name)) return null;
      const text = `SELECT account_id AS "accountId", plan, closed_at AS "closedAt" FROM accounts WHERE starts_with(account_id::text, $1) LIMIT 2`;
      const { rows } = await pool.query(text, [name.toLowerCase()]);
      return rows.length === 1 ? rows[0] : null;
    },
    accounts: async () => (await pool.query<RegisteredAccount>(ACCOUNTS)).rows,
    async setPlan(accountId, plan, withOverage = []) {
      await pool.query(SET_PLAN, [accountId, plan, withOverage]);
    },
    async releasePlan(accountId, noPlan, withOverage = []) {
      return (await pool.query<{ plan: string }>(RELEASE_PLAN, [accountId, noPlan, withOverage])).rows[0]!.plan;
    },
  };
}
