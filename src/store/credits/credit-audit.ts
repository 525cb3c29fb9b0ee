// The audit of credits: what balances, grants and the customers' sums must be according to the ledger and the closed
// months (D41), and that the days of statements add up to their balance. Of everything, or of what has changed since it
// was audited last.
import type { Pool, QueryConfig } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';

/** A refund counts against its charge. */
const SIGNED = `CASE kind WHEN 'return' THEN -1 ELSE 1 END`;

/** Conditions on rows of months, of days, and of accounts. */
interface Scope {
  readonly months: string;
  readonly days: string;
  readonly accounts: string;
}

const ALL: Scope = { months: 'true', days: 'true', accounts: 'true' };
/** `$1`: accounts, `$2`: a month. */
const OF_ACCOUNTS: Scope = {
  months: 'account_id = ANY ($1) AND period = $2',
  days: `account_id = ANY ($1) AND day >= $2 AND day < $2::date + interval '1 month'`,
  accounts: 'account_id = ANY ($1)',
};

/** What the closed days have is the balance less the lines of open days. */
const daysOf = (months: string): string => `
       open AS (
         SELECT account_id, period, sum(${SIGNED} * c.credits) AS used, sum(${SIGNED} * c.from_grants) AS from_grants, sum(${SIGNED} * c.overage) AS overage
           FROM credit_ledger c JOIN balances b USING (account_id, period) LEFT JOIN credit_late_lines l USING (account_id, period, charge_id)
          WHERE c.kind <> 'grant' AND ${months} AND COALESCE(l.day, (c.at AT TIME ZONE 'UTC')::date) >= b.open_day GROUP BY 1, 2),
       closed_days AS (
         SELECT account_id, period, sum(d.used) AS used, sum(d.from_grants) AS from_grants, sum(d.overage) AS overage
           FROM credit_days d JOIN balances b USING (account_id, period)
          WHERE ${months} AND (b.open_day IS NULL OR d.day < b.open_day) GROUP BY 1, 2)`;

/** One row per fault: the account and a sentence. A grant has no `charge_id`, by which its few lines are found. */
const auditOf = ({ months, days, accounts }: Scope): string => `
  WITH sums AS (
         SELECT account_id, period, kind, key_id, subject, credits, from_grants, overage, lines FROM credit_closed WHERE ${months}
          UNION ALL
         SELECT account_id, period, kind, key_id, subject, credits, from_grants, overage, (credits > 0)::integer FROM credit_ledger WHERE ${months}),
       used AS (
         SELECT account_id, period, sum(${SIGNED} * credits) AS used, sum(${SIGNED} * from_grants) AS from_grants, sum(${SIGNED} * overage) AS overage
           FROM sums WHERE kind <> 'grant' GROUP BY 1, 2),
       balances AS (SELECT * FROM credit_balances WHERE ${months}),
       grants AS (
         SELECT account_id, sum(credits) AS remaining
           FROM (SELECT account_id, credits FROM credit_closed WHERE kind = 'grant' AND ${accounts}
                  UNION ALL
                 SELECT account_id, credits FROM credit_ledger WHERE kind = 'grant' AND charge_id IS NULL AND ${accounts}
                  UNION ALL
                 SELECT account_id, -from_grants FROM credit_balances WHERE ${accounts}) g GROUP BY 1),
       granted AS (SELECT * FROM credit_grants WHERE ${accounts}),
       days AS (
         SELECT account_id, (at AT TIME ZONE 'UTC')::date AS day, key_id, subject, sum(${SIGNED}) FILTER (WHERE credits > 0) AS calls,
                sum(${SIGNED} * credits) AS credits
           FROM credit_ledger WHERE kind <> 'grant' AND ${months} GROUP BY 1, 2, 3, 4),
       closed AS (SELECT DISTINCT period FROM credit_closed),
       months AS (
         SELECT account_id, period, key_id, subject, sum(${SIGNED} * lines) FILTER (WHERE credits > 0) AS calls, sum(${SIGNED} * credits) AS credits
           FROM credit_closed WHERE kind <> 'grant' AND ${months} GROUP BY 1, 2, 3, 4),
${daysOf(months)},
       usage AS (SELECT *, date_trunc('month', day)::date AS period FROM credit_usage WHERE ${days})
  SELECT account_id, to_char(period, 'YYYY-MM') || ': ' || COALESCE(b.used, 0) || ' used, of which ' || COALESCE(b.from_grants, 0)
         || ' granted and ' || COALESCE(b.overage, 0) || ' overage; the ledger has ' || COALESCE(l.used, 0) || ', ' || COALESCE(l.from_grants, 0)
         || ' and ' || COALESCE(l.overage, 0) AS fault
    FROM used l FULL JOIN balances b USING (account_id, period)
   WHERE (COALESCE(b.used, 0), COALESCE(b.from_grants, 0), COALESCE(b.overage, 0))
      <> (COALESCE(l.used, 0), COALESCE(l.from_grants, 0), COALESCE(l.overage, 0))
   UNION ALL
  SELECT account_id, COALESCE(g.remaining, 0) || ' granted left; the ledger has ' || COALESCE(l.remaining, 0)
    FROM grants l FULL JOIN granted g USING (account_id)
   WHERE COALESCE(g.remaining, 0) <> COALESCE(l.remaining, 0)
   UNION ALL
  SELECT account_id, to_char(day, 'YYYY-MM-DD') || ' ' || subject || ': ' || COALESCE(u.calls, 0) || ' calls for ' || COALESCE(u.credits, 0)
         || '; the ledger has ' || COALESCE(l.calls, 0) || ' for ' || COALESCE(l.credits, 0)
    FROM days l
    FULL JOIN (SELECT * FROM usage WHERE period NOT IN (SELECT period FROM closed)) u USING (account_id, day, key_id, subject)
   WHERE COALESCE(u.calls, 0) <> COALESCE(l.calls, 0) OR COALESCE(u.credits, 0) <> COALESCE(l.credits, 0)
   UNION ALL
  SELECT account_id, to_char(period, 'YYYY-MM') || ' ' || subject || ': ' || COALESCE(u.calls, 0) || ' calls for ' || COALESCE(u.credits, 0)
         || '; the closed month has ' || COALESCE(l.calls, 0) || ' for ' || COALESCE(l.credits, 0)
    FROM months l
    FULL JOIN (SELECT account_id, period, key_id, subject, sum(calls) AS calls, sum(credits) AS credits
                 FROM usage WHERE period IN (SELECT period FROM closed) GROUP BY 1, 2, 3, 4) u USING (account_id, period, key_id, subject)
   WHERE COALESCE(u.calls, 0) <> COALESCE(l.calls, 0) OR COALESCE(u.credits, 0) <> COALESCE(l.credits, 0)
   UNION ALL
  SELECT account_id, to_char(period, 'YYYY-MM') || ': ' || b.used || ' used, of which ' || COALESCE(o.used, 0)
         || ' on open days; its closed days have ' || d.used
    FROM balances b JOIN closed_days d USING (account_id, period) LEFT JOIN open o USING (account_id, period)
   WHERE (b.used - COALESCE(o.used, 0), b.from_grants - COALESCE(o.from_grants, 0), b.overage - COALESCE(o.overage, 0))
      <> (d.used, d.from_grants, d.overage)
   ORDER BY 1, 2`;

/** Of everything. */
export const AUDIT = auditOf(ALL);

export interface CreditAuditStore {
  /** Months from this one on that have balances, and every month of which something was wrong. First days. */
  months(since: string): Promise<readonly string[]>;
  /**
   * Audits up to `most` accounts whose balance of the month has changed since it was audited, or was wrong, and that
   * were not audited since `at`; the longest ago first. Nothing waits for it, and it waits for no charge.
   */
  audit(of: { month: string; at: Instant; most: number }): Promise<AuditedPage>;
  /** Drops what was right, of months before this one. */
  forget(before: string): Promise<void>;
}

interface AuditedPage {
  readonly accounts: number;
  /** A sentence each. */
  readonly faults: readonly string[];
}

/** As they stood before they are audited: what changes meanwhile is audited again. */
const CHANGED = `
  SELECT account_id, now.*
    FROM (SELECT * FROM credit_balances WHERE period = $1) b FULL JOIN (SELECT * FROM credit_audits WHERE period = $1) a USING (account_id)
    LEFT JOIN credit_grants g USING (account_id)
   CROSS JOIN LATERAL (SELECT COALESCE(b.used, 0) AS used, COALESCE(b.from_grants, 0) AS from_grants, COALESCE(b.overage, 0) AS overage,
                              COALESCE(g.remaining, 0) AS granted) now
   WHERE a.at IS NULL
      OR (a.at < $2 AND (a.faults > 0 OR (a.used, a.from_grants, a.overage, a.granted) <> (now.used, now.from_grants, now.overage, now.granted)))
   ORDER BY a.at NULLS FIRST, account_id LIMIT $3`;

const NOTE = `
  INSERT INTO credit_audits (account_id, period, used, from_grants, overage, granted, at, faults)
  SELECT account_id, $2, used, from_grants, overage, granted, $3, faults
    FROM json_to_recordset($1) AS r (account_id uuid, used bigint, from_grants bigint, overage bigint, granted bigint, faults integer)
  ON CONFLICT (account_id, period) DO UPDATE
     SET used = EXCLUDED.used, from_grants = EXCLUDED.from_grants, overage = EXCLUDED.overage, granted = EXCLUDED.granted, at = EXCLUDED.at,
         faults = EXCLUDED.faults`;

const MONTHS = `
  SELECT period FROM credit_balances WHERE period >= $1 GROUP BY 1 UNION SELECT period FROM credit_audits WHERE faults > 0 ORDER BY 1`;

/** Of one page: some accounts may have millions of lines. */
const PAGE_MS = 300_000;

interface Changed {
  readonly account_id: string;
}

export function createCreditAuditStore(pool: Pool): CreditAuditStore {
  return {
    async months(since) {
      return (await pool.query<{ period: string }>(MONTHS, [since])).rows.map(({ period }) => period);
    },
    async audit({ month, at, most }) {
      const { rows: changed } = await pool.query<Changed>(CHANGED, [month, at, most]);
      if (changed.length === 0) return { accounts: 0, faults: [] };
      const found = await longRows<Fault>(pool, PAGE_MS, AUDIT_OF_ACCOUNTS, [
        changed.map(({ account_id }) => account_id),
        month,
      ]);
      const audited = changed.map((one) => ({
        ...one,
        faults: found.filter(({ account_id }) => account_id === one.account_id).length,
      }));
      await pool.query(NOTE, [JSON.stringify(audited), month, at]);
      return { accounts: changed.length, faults: found.map(faultText) };
    },
    async forget(before) {
      await pool.query('DELETE FROM credit_audits WHERE period < $1 AND faults = 0', [before]);
    },
  };
}

const AUDIT_OF_ACCOUNTS = auditOf(OF_ACCOUNTS);

export interface Fault {
  readonly account_id: string;
  readonly fault: string;
}

export const faultText = ({ account_id, fault }: Fault): string => `account ${account_id}, ${fault}`;

/** Longer than a statement of a process may take otherwise. */
export async function longRows<T extends object>(
  pool: Pool,
  withinMs: number,
  text: string,
  values: unknown[] = [],
): Promise<T[]> {
  return inTransaction(pool, async (client) => {
    await client.query(`SET LOCAL statement_timeout = ${withinMs}`);
    return (await client.query<T>({ text, values, query_timeout: withinMs } as QueryConfig)).rows;
  });
}
