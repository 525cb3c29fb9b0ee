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
  readonly outages: readonly OutageRow[];
}

/** Checks that failed one after another, none of them missing between two. */
interface OutageRow {
  readonly from: Instant;
  /** The first one that passed again; null: none has, or checks were missing before it. */
  readonly until: Instant | null;
  /** No check followed. */
  readonly isLatest: boolean;
  readonly checks: number;
}

const WINDOW = `checked_at > $1::timestamptz - INTERVAL '30 days' AND checked_at <= $1`;

const DAYS = {
  name: 'uptime-days',
  text: `SELECT to_char(checked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*) AS checks, count(*) FILTER (WHERE ok) AS ok
    FROM uptime_checks WHERE ${WINDOW} GROUP BY 1 ORDER BY 1 DESC`,
};

/** A part begins with a check that passed, and after a longer time without checks than $2 milliseconds. */
const OUTAGES = {
  name: 'uptime-outages',
  text: `
  WITH checks AS (
    SELECT checked_at, ok, lag(checked_at) OVER by_time AS before_at, lead(checked_at) OVER by_time AS next_at, lead(ok) OVER by_time AS next_ok
      FROM uptime_checks WHERE ${WINDOW} WINDOW by_time AS (ORDER BY checked_at)),
  parts AS (
    SELECT *, count(*) FILTER (WHERE ok OR checked_at - before_at > $2 * interval '1 ms') OVER (ORDER BY checked_at) AS part FROM checks)
  SELECT min(checked_at) AS from, max(next_at) FILTER (WHERE next_ok AND next_at - checked_at <= $2 * interval '1 ms') AS until,
         bool_or(next_at IS NULL) AS "isLatest", count(*) AS checks
    FROM parts WHERE NOT ok GROUP BY part ORDER BY 1 DESC`,
};

/** Of the trailing 30 days. `holeMs`: after this long without a check, checks were missing. */
export async function readUptimeHistory(pool: Pool, nowIso: string, holeMs: number): Promise<UptimeHistory> {
  const [days, outages] = await Promise.all([
    pool.query<UptimeHistory['days'][number]>({ ...DAYS, values: [nowIso] }),
    pool.query<UptimeHistory['outages'][number]>({ ...OUTAGES, values: [nowIso, holeMs] }),
  ]);
  return { days: days.rows, outages: outages.rows };
}
