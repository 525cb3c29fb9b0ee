// The overage of accounts (A 8): whether it is switched on, and what a month used of it.
import type { Pool } from 'pg';

interface AccountOverage {
  /** It counts only on a plan that has overage. */
  readonly on: boolean;
  readonly plan: string;
  /** Of the month, by the plan under which it was used. */
  readonly used: readonly { readonly plan: string; readonly credits: number }[];
}

export interface OverageStore {
  /** `period`: first day of a UTC month. Null: there is no such account. */
  overage(accountId: string, period: string): Promise<AccountOverage | null>;
  /** For the next charge of every key of the account: they change with it (D36). Leaves an account as it is that has it so already. */
  setOverage(accountId: string, on: boolean): Promise<void>;
}

const READ = `
  SELECT a.overage AS on, a.plan,
         (SELECT COALESCE(json_agg(u ORDER BY u.plan), '[]')
            FROM (SELECT overage_plan AS plan, sum(CASE kind WHEN 'return' THEN -overage ELSE overage END) AS credits
                    FROM credit_ledger WHERE account_id = $1 AND period = $2 AND overage > 0 GROUP BY 1) u) AS used
    FROM accounts a WHERE a.account_id = $1`;

export function createOverageStore(pool: Pool): OverageStore {
  return {
    async overage(accountId, period) {
      return (await pool.query<AccountOverage>(READ, [accountId, period])).rows[0] ?? null;
    },
    async setOverage(accountId, on) {
      await pool.query('UPDATE accounts SET overage = $2 WHERE account_id = $1 AND overage <> $2', [accountId, on]);
    },
  };
}
