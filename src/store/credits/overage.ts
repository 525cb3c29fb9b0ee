// The overage of accounts (A 8): whether it is switched on, and how much a month used.
import type { Pool } from 'pg';

interface AccountOverage {
  /** It counts only on a plan that has overage. */
  readonly on: boolean;
  readonly plan: string;
  /** In the month, by the plan under which it was used. */
  readonly used: readonly { readonly plan: string; readonly credits: number }[];
}

export interface OverageStore {
  /** `period`: first day of a UTC month. Null: there is no such account. */
  overage(accountId: string, period: string): Promise<AccountOverage | null>;
  /**
   * Takes effect with the next charge of every key of the account, because the keys change with it (D36). Changes
   * nothing if the account already has the value. Switched on only while the account's plan is one of `plans` (absent:
   * any plan); returns its plan.
   */
  setOverage(accountId: string, on: boolean, plans?: readonly string[]): Promise<string>;
}

const READ = `
  SELECT a.overage AS on, a.plan,
         (SELECT COALESCE(json_agg(u ORDER BY u.plan), '[]')
            FROM (SELECT overage_plan AS plan, sum(CASE kind WHEN 'return' THEN -overage ELSE overage END) AS credits
                    FROM credit_ledger WHERE account_id = $1 AND period = $2 AND overage > 0 GROUP BY 1) u) AS used
    FROM accounts a WHERE a.account_id = $1`;

/** The row is locked first, so a concurrent change of the plan is awaited. */
const SET = `
  WITH a AS (SELECT account_id, plan FROM accounts WHERE account_id = $1 FOR NO KEY UPDATE),
       s AS (UPDATE accounts u SET overage = $2::boolean FROM a
              WHERE u.account_id = a.account_id AND u.overage <> $2::boolean AND (NOT $2::boolean OR $3::text[] IS NULL OR a.plan = ANY ($3)))
  SELECT plan FROM a`;

export function createOverageStore(pool: Pool): OverageStore {
  return {
    async overage(accountId, period) {
      return (await pool.query<AccountOverage>(READ, [accountId, period])).rows[0] ?? null;
    },
    async setOverage(accountId, on, plans) {
      const { rows } = await pool.query<{ plan: string }>(SET, [accountId, on, plans ?? null]);
      if (!rows[0]) throw new Error(`there is no account ${accountId}`);
      return rows[0].plan;
    },
  };
}
