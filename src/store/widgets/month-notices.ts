// Widgets whose fills are near their monthly limit and whose owners have not been mailed about it: a level, written
// once by whichever process finds it.
import type { Pool } from 'pg';
import { noticeLevel, presentAddress } from '../accounts/notices/marks';
import type { Notice } from '../accounts/notices/notice';
import { inTransaction } from '../pg/transaction';
import type { Sealer } from '../secrets/sealer';

interface NearMonthLimit {
  readonly accountId: string;
  readonly widgetId: string;
  readonly fills: number;
  readonly maxFillsPerMonth: number;
  /** Null: the account has no owner with an address. */
  readonly email: string | null;
}

export interface WidgetMonthStore {
  /**
   * In the UTC month that begins on `period`, at 80 % of the limit or above. A limit raised since the last mail counts
   * as a new one.
   */
  near(period: string): Promise<readonly NearMonthLimit[]>;
  /** Writes the notice, unless another process did. */
  mailed(of: Omit<NearMonthLimit, 'email'>, period: string, notice: Notice): Promise<void>;
}

const UNMAILED = `fills * 5 >= max_fills_per_month * 4 AND (mailed_for IS NULL OR mailed_for < max_fills_per_month)`;
const NEAR = `
  SELECT account_id AS "accountId", widget_id AS "widgetId", fills, max_fills_per_month AS "maxFillsPerMonth", email
    FROM widget_months JOIN widgets USING (widget_id) LEFT JOIN account_owners USING (account_id)
   WHERE period = $1 AND max_fills_per_month IS NOT NULL AND ${UNMAILED} ORDER BY widget_id LIMIT 100`;
const MAILED = `
  UPDATE widget_months SET mailed_for = $3
   WHERE widget_id = $1 AND period = $2 AND (mailed_for IS NULL OR mailed_for < $3)`;

export function createWidgetMonthStore(pool: Pool, sealer: Sealer): WidgetMonthStore {
  return {
    near: async (period) => (await pool.query<NearMonthLimit>(NEAR, [period])).rows,
    mailed: ({ accountId, widgetId, maxFillsPerMonth }, period, notice) =>
      inTransaction(pool, async (client) => {
        const recipient = await presentAddress(client, accountId);
        if ((await client.query(MAILED, [widgetId, period, maxFillsPerMonth])).rowCount === 0) return;
        const fact = `widget ${widgetId} ${period} ${maxFillsPerMonth}`;
        await noticeLevel(client, sealer, { accountId, recipient, fact }, notice);
      }),
  };
}
