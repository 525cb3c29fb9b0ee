// An account's use of its credits, day by day, for its owner's charts: from the sums of days, never from the ledger.
import type { Pool } from 'pg';

/** What a day's use is parted by. */
export type UsageBy = 'endpoint' | 'key';

export interface DayUsage {
  /** A UTC day, `YYYY-MM-DD`. */
  readonly day: string;
  /** The endpoint, or the id of the key; empty for all keys that were deleted. */
  readonly part: string;
  readonly calls: number;
  readonly credits: number;
}

export interface DailyUsageStore {
  /** `period`: first day of a UTC month. By day, and within a day most credits first. */
  inPeriod(accountId: string, period: string, by: UsageBy): Promise<readonly DayUsage[]>;
}

/** By the primary key: an account has a row per day, key and endpoint that it used. */
const byDay = (part: string, join = ''): string => `
  SELECT to_char(u.day, 'YYYY-MM-DD') AS day, ${part} AS part, sum(u.calls)::bigint AS calls, sum(u.credits)::bigint AS credits
    FROM credit_usage u ${join}
   WHERE u.account_id = $1 AND u.day >= $2::date AND u.day < $2::date + interval '1 month'
   GROUP BY u.day, 2 ORDER BY u.day, sum(u.credits) DESC, 2`;

/** As many as a plan allows, however many come and go. */
const KEYS =
  'LEFT JOIN (SELECT DISTINCT key_id FROM api_keys WHERE account_id = $1 AND revoked_at IS NULL) k USING (key_id)';

const QUERIES = {
  endpoint: { name: 'daily-usage', text: byDay('u.subject') },
  key: { name: 'daily-usage-of-keys', text: byDay(`COALESCE(k.key_id::text, '')`, KEYS) },
} as const satisfies Record<UsageBy, object>;

export function createDailyUsageStore(pool: Pool): DailyUsageStore {
  return {
    async inPeriod(accountId, period, by) {
      return (await pool.query<DayUsage>({ ...QUERIES[by], values: [accountId, period] })).rows;
    },
  };
}
