// Which months of which accounts have overage that is not invoiced, what was ordered for them, and what is not paid.
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
  /** Of months before this one, and of accounts that were closed by `closedBy`, oldest first. */
  due(period: string, closedBy: Instant): Promise<readonly DueOverage[]>;
  /** What is to be paid, whatever the ledger has by the second time. */
  decide(of: { accountId: string; period: string; cents: number; at: Instant }): Promise<number>;
  /** `itemId` null: there was nothing to pay. */
  invoiced(of: { accountId: string; period: string; itemId: string | null; at: Instant }): Promise<void>;
  /** Invoices of an account that were open when they were last read. */
  unsettled(accountId: string): Promise<readonly OrderedOverage[]>;
  /** One that is due, the longest due first; it is not again before `nextAt`, for any process. Null: none. */
  claimUnsettled(of: { at: Instant; nextAt: Instant }): Promise<ClaimedOverage | null>;
  /** What a reading of the provider found. What is settled stays so. */
  noteStatus(of: {
    accountId: string;
    period: string;
    isSettled: boolean;
    at: Instant;
    nextAt: Instant;
  }): Promise<void>;
  /** It could not be read. */
  noteUnread(of: { accountId: string; period: string; nextAt: Instant }): Promise<void>;
  /**
   * The oldest month that is overdue: its invoice was still open at a reading at least so many days after it was
   * issued (one that was not read since then is not overdue), or it could not be invoiced for as long. Null: none.
   */
  overdue(accountId: string, by: Patience): Promise<OverdueOverage | null>;
  /** Switches overage off where a month is overdue, and notes when. Returns those that had it on, with a month. */
  endOverage(by: Patience): Promise<readonly ({ readonly accountId: string } & OverdueOverage)[]>;
}

interface Patience {
  readonly days: number;
  readonly at: Instant;
}

export interface OverdueOverage {
  /** First day of the UTC month. */
  readonly period: string;
  /** Not paid; false: it could not be invoiced. */
  readonly isInvoiced: boolean;
}

interface OrderedOverage {
  readonly accountId: string;
  readonly period: string;
  readonly itemId: string;
}

interface ClaimedOverage extends OrderedOverage {
  /** Readings since the last one that succeeded, with this one. */
  readonly attempts: number;
}

const DUE = `
  SELECT b.account_id AS "accountId", b.period, c.customer_id AS "customerId"
    FROM credit_balances b
    JOIN accounts a USING (account_id)
    LEFT JOIN overage_invoices i USING (account_id, period)
    LEFT JOIN billing_accounts c ON c.account_id = b.account_id
   WHERE b.overage > 0 AND (b.period < $1 OR a.closed_at <= $2) AND i.invoiced_at IS NULL AND i.settled_at IS NULL
   ORDER BY b.period, b.account_id`;

const DECIDE = `
  INSERT INTO overage_invoices AS i (account_id, period, cents, decided_at) VALUES ($1, $2, $3, $4)
  ON CONFLICT (account_id, period) DO UPDATE SET cents = i.cents
  RETURNING cents`;

const IS_OPEN = 'item_id IS NOT NULL AND invoiced_at IS NOT NULL AND settled_at IS NULL';

const UNSETTLED = `
  SELECT account_id AS "accountId", period, item_id AS "itemId"
    FROM overage_invoices WHERE account_id = $1 AND ${IS_OPEN} ORDER BY period`;

const CLAIM = `
  UPDATE overage_invoices SET read_due_at = $2, read_attempts = read_attempts + 1
   WHERE (account_id, period) = (SELECT account_id, period FROM overage_invoices WHERE read_due_at <= $1 AND ${IS_OPEN}
                                  ORDER BY read_due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING account_id AS "accountId", period, item_id AS "itemId", read_attempts AS attempts`;

const NOTE_STATUS = `
  UPDATE overage_invoices
     SET status_at = GREATEST(status_at, $3), settled_at = COALESCE(settled_at, CASE WHEN $4 THEN $3::timestamptz END), read_due_at = $5, read_attempts = 0
   WHERE account_id = $1 AND period = $2`;

/** With `$1` days, at `$2`. */
const IS_OVERDUE = `
  settled_at IS NULL AND (item_id IS NOT NULL AND status_at >= invoiced_at + $1 * interval '1 day'
                          OR invoiced_at IS NULL AND cents > 0 AND decided_at <= $2::timestamptz - $1 * interval '1 day')`;

const OVERDUE = `
  SELECT period, invoiced_at IS NOT NULL AS "isInvoiced" FROM overage_invoices
   WHERE account_id = $3 AND ${IS_OVERDUE} ORDER BY period LIMIT 1`;

/** Keys of the account change with it, as in `setOverage` (D36). */
const END = `
  WITH ended AS (
    UPDATE accounts a SET overage = false
      FROM (SELECT DISTINCT ON (account_id) account_id, period, invoiced_at IS NOT NULL AS is_invoiced
              FROM overage_invoices WHERE ${IS_OVERDUE} ORDER BY account_id, period) o
     WHERE a.account_id = o.account_id AND a.overage
    RETURNING a.account_id, o.period, o.is_invoiced
  ), noted AS (
    UPDATE overage_invoices i SET ended_overage_at = $2 FROM ended WHERE i.account_id = ended.account_id AND i.period = ended.period
  )
  SELECT account_id AS "accountId", period, is_invoiced AS "isInvoiced" FROM ended`;

export function createOverageInvoiceStore(pool: Pool): OverageInvoiceStore {
  return {
    async nowMs() {
      return (await pool.query<{ now: Instant }>('SELECT now()')).rows.map(({ now }) => Date.parse(now))[0]!;
    },
    due: async (period, closedBy) => (await pool.query<DueOverage>(DUE, [period, closedBy])).rows,
    async decide({ accountId, period, cents, at }) {
      return (await pool.query<{ cents: number }>(DECIDE, [accountId, period, cents, at])).rows[0]!.cents;
    },
    async invoiced({ accountId, period, itemId, at }) {
      const text = 'UPDATE overage_invoices SET item_id = $3, invoiced_at = $4 WHERE account_id = $1 AND period = $2';
      await pool.query(text, [accountId, period, itemId, at]);
    },
    unsettled: async (accountId) => (await pool.query<OrderedOverage>(UNSETTLED, [accountId])).rows,
    claimUnsettled: async ({ at, nextAt }) => (await pool.query<ClaimedOverage>(CLAIM, [at, nextAt])).rows[0] ?? null,
    async noteStatus({ accountId, period, at, isSettled, nextAt }) {
      await pool.query(NOTE_STATUS, [accountId, period, at, isSettled, nextAt]);
    },
    async noteUnread({ accountId, period, nextAt }) {
      const text = 'UPDATE overage_invoices SET read_due_at = $3 WHERE account_id = $1 AND period = $2';
      await pool.query(text, [accountId, period, nextAt]);
    },
    async overdue(accountId, { days, at }) {
      return (await pool.query<OverdueOverage>(OVERDUE, [days, at, accountId])).rows[0] ?? null;
    },
    async endOverage({ days, at }) {
      return (await pool.query<{ accountId: string } & OverdueOverage>(END, [days, at])).rows;
    },
  };
}
