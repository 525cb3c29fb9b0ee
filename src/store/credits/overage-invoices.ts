// Which months of which accounts have overage that is not invoiced, and what was ordered for them.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';

interface DueOverage {
  readonly accountId: string;
  /** First day of the UTC month. */
  readonly period: string;
  /** At the payment provider; null: there is no one to invoice. */
  readonly customerId: string | null;
}

export interface OverageInvoiceStore {
  /** The database's wall clock, epoch milliseconds. */
  nowMs(): Promise<number>;
  /** Of months before this one, oldest first. */
  due(period: string): Promise<readonly DueOverage[]>;
  /** What is to be paid, whatever the ledger has by the second time. */
  decide(of: { accountId: string; period: string; cents: number; at: Instant }): Promise<number>;
  /** `itemId` null: there was nothing to pay. */
  invoiced(of: { accountId: string; period: string; itemId: string | null; at: Instant }): Promise<void>;
}

const DUE = `
  SELECT b.account_id AS "accountId", b.period, c.customer_id AS "customerId"
    FROM credit_balances b
    LEFT JOIN overage_invoices i USING (account_id, period)
    LEFT JOIN billing_accounts c ON c.account_id = b.account_id
   WHERE b.overage > 0 AND b.period < $1 AND i.invoiced_at IS NULL
   ORDER BY b.period, b.account_id`;

const DECIDE = `
  INSERT INTO overage_invoices AS i (account_id, period, cents, decided_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, period) DO UPDATE SET cents = i.cents
  RETURNING cents`;

export function createOverageInvoiceStore(pool: Pool): OverageInvoiceStore {
  return {
    async nowMs() {
      return (await pool.query<{ now: Instant }>('SELECT now()')).rows.map(({ now }) => Date.parse(now))[0]!;
    },
    due: async (period) => (await pool.query<DueOverage>(DUE, [period])).rows,
    async decide({ accountId, period, cents, at }) {
      return (await pool.query<{ cents: number }>(DECIDE, [accountId, period, cents, at])).rows[0]!.cents;
    },
    async invoiced({ accountId, period, itemId, at }) {
      const text = 'UPDATE overage_invoices SET item_id = $3, invoiced_at = $4 WHERE account_id = $1 AND period = $2';
      await pool.query(text, [accountId, period, itemId, at]);
    },
  };
}
