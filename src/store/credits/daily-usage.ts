// An account's use of its credits, day by day, for its owner's charts: from the sums of days, never from the ledger.
import type { Pool } from 'pg';

/** What a day's use is parted by. */
export type UsageBy = 'endpoint' | 'key';

export interface DayUsage {
  /** A UTC day, `YYYY-MM-DD`. */
  readonly day: string;
  /** The endpoint, or the id of the key. */
  readonly part: string;
  readonly calls: number;
  readonly credits: number;
}

export interface DailyUsageStore {
  /** `period`: first day of a UTC month. By day, and within a day most credits first. */
  inPeriod(accountId: string, period: string, by: UsageBy): Promise<readonly DayUsage[]>;
}

/** By the primary key: an account has a row per day, key and endpoint that it used. */
const byDay = (part: string): string => `
  SELECT to_char(day, 'YYYY-MM-DD') AS day, ${part} AS part, sum(calls)::bigint AS calls, sum(credits)::bigint AS credits
    FROM credit_usage WHERE account_id = $1 AND day >= $2::date AND day < $2::date + interval '1 month'
   GROUP BY credit_usage.day, 2 ORDER BY credit_usage.day, sum(credits) DESC, 2`;

const QUERIES = {
  endpoint: { name: 'daily-usage', text: byDay('subject') },
  key: { name: 'daily-usage-of-keys', text: byDay('key_id::text') },
} as const satisfies Record<UsageBy, object>;

export function createDailyUsageStore(pool: Pool): DailyUsageStore {
  return {
    async inPeriod(accountId, period, by) {
      return (await pool.query<DayUsage>({ ...QUERIES[by], values: [accountId, period] })).rows;
    },
  };
}
