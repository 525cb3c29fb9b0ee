// Audits of served prices: the newest run of each sport, one run, and its findings.
import type { Pool } from 'pg';
import type { FindingMarket, FindingStatus, ServedSelection, Verdict } from '../../../domain/quality/audit';
import type { Instant } from '../../../domain/race/race';

export interface AuditRow {
  readonly run_id: string;
  readonly sport_key: string;
  readonly market_type: string;
  /** `failed`: it did not end in time. */
  readonly status: Verdict | 'running' | 'failed';
  readonly started_at: Instant;
  /** Null while a run has not ended, as are its figures. */
  readonly finished_at: Instant | null;
  readonly api_rows: number | null;
  readonly source_rows: number | null;
  readonly common_rows: number | null;
  readonly exact_matches: number | null;
  readonly diff_rows: number | null;
  readonly missing_api: number | null;
  readonly missing_source: number | null;
  readonly max_delta: number | null;
  readonly books_checked: number | null;
  readonly races_checked: number | null;
  readonly outliers: number | null;
  /** Null also for a run that had none yet. */
  readonly cross_checks: number | null;
}

export interface FindingRow {
  readonly bookmaker_key: string;
  /** Null: it does not concern a race. */
  readonly race_id: string | null;
  readonly event_key: readonly string[];
  readonly event_id: string | null;
  readonly market: FindingMarket | null;
  readonly status: FindingStatus;
  readonly delta: number | null;
  readonly message: string;
  readonly api: readonly ServedSelection[];
  readonly source: Readonly<Record<string, number | null>>;
}

/** $1 is the instant before which an unfinished run counts as failed. */
const COLUMNS = `
  run_id, sport_key, market_type, COALESCE(verdict, CASE WHEN started_at < $1 THEN 'failed' ELSE 'running' END) AS status, started_at,
  finished_at, api_rows, source_rows, common_rows, exact_matches, diff_rows, missing_api, missing_source, max_delta, books_checked,
  races_checked, outliers, cross_checks`;

const NEWEST = {
  name: 'audits-newest',
  text: `
  SELECT a.* FROM unnest($2::text[]) WITH ORDINALITY AS s (sport_key, place)
    CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM quality_audits q
       WHERE q.sport_key = s.sport_key AND (finished_at IS NOT NULL OR started_at < $1)
       ORDER BY started_at DESC LIMIT 1) a
   ORDER BY s.place`,
};

/** The newest run of each of these sports that has ended or failed, in order. */
export async function readNewestAudits(
  pool: Pool,
  sportKeys: readonly string[],
  failedBefore: Instant,
): Promise<readonly AuditRow[]> {
  const { rows } = await pool.query<AuditRow>({ ...NEWEST, values: [failedBefore, sportKeys] });
  return rows;
}

const ONE = { name: 'audit', text: `SELECT ${COLUMNS} FROM quality_audits WHERE run_id = $2` };

/** Null: there is no such run. */
export async function readAudit(pool: Pool, runId: string, failedBefore: Instant): Promise<AuditRow | null> {
  const { rows } = await pool.query<AuditRow>({ ...ONE, values: [failedBefore, runId] });
  return rows[0] ?? null;
}

const FINDINGS = {
  name: 'audit-findings-read',
  text: `
  SELECT bookmaker_key, race_id, COALESCE(event_key, json_build_array(venue, 'R' || race_number, day)) AS event_key, event_id, market, status, delta, message, api, source FROM quality_findings
   WHERE run_id = $1 AND ($2::text IS NULL OR status = $2) AND bookmaker_key = ANY ($3) ORDER BY position`,
};

/** Those of these books. */
export async function readFindings(
  pool: Pool,
  runId: string,
  status: FindingStatus | null,
  bookmakers: readonly string[],
): Promise<readonly FindingRow[]> {
  const { rows } = await pool.query<FindingRow>({ ...FINDINGS, values: [runId, status, bookmakers] });
  return rows;
}
