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
