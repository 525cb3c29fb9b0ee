// The probe's checks of the trailing 30 days, counted.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';

export interface UptimeRow {
  readonly checks: number;
  readonly ok: number;
  readonly first_check: Instant | null;
  readonly last_check: Instant | null;
  readonly last_ok: boolean | null;
  readonly last_target: string | null;
  /** The share of checks that passed. */
  readonly median_latency_ms: number | null;
}

const UPTIME = {
  name: 'uptime',
  text: `SELECT count(*) AS checks, count(*) FILTER (WHERE ok) AS ok,
      min(checked_at) AS first_check, max(checked_at) AS last_check,
      (array_agg(ok ORDER BY checked_at DESC))[1] AS last_ok,
      (array_agg(target ORDER BY checked_at DESC))[1] AS last_target,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY latency_ms) FILTER (WHERE ok) AS median_latency_ms
    FROM uptime_checks WHERE checked_at > $1::timestamptz - INTERVAL '30 days' AND checked_at <= $1`,
};

export async function readUptime(pool: Pool, nowIso: string): Promise<UptimeRow> {
  const { rows } = await pool.query<UptimeRow>({ ...UPTIME, values: [nowIso] });
  return rows[0]!;
}

/** Newest first. */
export interface UptimeHistory {
  /** UTC days that have checks. */
  readonly days: readonly { readonly day: string; readonly checks: number; readonly ok: number }[];
  /** Checks that failed one after another; `until` is the first one that passed again, null: none has. */
  readonly outages: readonly { readonly from: Instant; readonly until: Instant | null; readonly checks: number }[];
}

const WINDOW = `checked_at > $1::timestamptz - INTERVAL '30 days' AND checked_at <= $1`;

const DAYS = {
  name: 'uptime-days',
  text: `SELECT to_char(checked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS checks, count(*) FILTER (WHERE ok) AS ok
    FROM uptime_checks WHERE ${WINDOW} GROUP BY 1 ORDER BY 1 DESC`,
};

/** Failed checks between the same two that passed are one outage. */
const OUTAGES = {
  name: 'uptime-outages',
  text: `SELECT min(checked_at) AS from, CASE WHEN bool_or(next_at IS NULL) THEN NULL ELSE max(next_at) END AS until, count(*) AS checks
    FROM (SELECT checked_at, ok, count(*) FILTER (WHERE ok) OVER (ORDER BY checked_at) AS passed, lead(checked_at) OVER (ORDER BY checked_at) AS next_at
            FROM uptime_checks WHERE ${WINDOW}) c
   WHERE NOT ok GROUP BY passed ORDER BY 1 DESC`,
};

/** Of the trailing 30 days. */
export async function readUptimeHistory(pool: Pool, nowIso: string): Promise<UptimeHistory> {
  const [days, outages] = await Promise.all([
    pool.query<UptimeHistory['days'][number]>({ ...DAYS, values: [nowIso] }),
    pool.query<UptimeHistory['outages'][number]>({ ...OUTAGES, values: [nowIso] }),
  ]);
  return { days: days.rows, outages: outages.rows };
}
