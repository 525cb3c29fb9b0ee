// An account's use of its credits, day by day, for its owner's chart.
import type { Pool } from 'pg';

export interface DayUsage {
  /** A UTC day, `YYYY-MM-DD`. */
  readonly day: string;
  readonly endpoint: string;
  readonly calls: number;
  readonly credits: number;
}

export interface DailyUsageStore {
  /** `period`: first day of a UTC month. By day, and within a day most credits first. */
  inPeriod(accountId: string, period: string): Promise<readonly DayUsage[]>;
}

const BY_DAY = `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, subject AS endpoint, sum(calls)::bigint AS calls, sum(credits)::bigint AS credits
    FROM credit_usage WHERE account_id = $1 AND day >= $2::date AND day < $2::date + interval '1 month'
   GROUP BY credit_usage.day, subject ORDER BY credit_usage.day, sum(credits) DESC, subject`;

export function createDailyUsageStore(pool: Pool): DailyUsageStore {
  return {
    async inPeriod(accountId, period) {
      const query = { name: 'daily-usage', text: BY_DAY, values: [accountId, period] };
      return (await pool.query<DayUsage>(query)).rows;
    },
  };
}
