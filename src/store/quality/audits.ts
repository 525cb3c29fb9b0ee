// Stores audits of prices: a run once, under its id, with all that it found.
import type { Pool } from 'pg';
import {
  AUDITED_MARKET,
  type AuditFigures,
  type AuditOrder,
  type Finding,
  type Verdict,
} from '../../domain/quality/audit';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';

interface AuditEnd {
  readonly verdict: Verdict;
  readonly figures: AuditFigures;
  readonly findings: readonly Finding[];
}

export interface AuditStore {
  /** False: the run has ended already. */
  begin(order: AuditOrder, at: Instant): Promise<boolean>;
  /** The first end counts. Runs older than 30 days go. */
  end(runId: string, end: AuditEnd, at: Instant): Promise<void>;
}

const BEGIN = {
  name: 'audit-begin',
  text: `
  WITH begun AS (
    INSERT INTO quality_audits (run_id, sport_key, market_type, started_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (run_id) DO NOTHING)
  SELECT NOT EXISTS (SELECT FROM quality_audits WHERE run_id = $1 AND finished_at IS NOT NULL) AS open`,
};

const END = {
  name: 'audit-end',
  text: `
  UPDATE quality_audits
     SET finished_at = $2, verdict = $3, api_rows = $4, source_rows = $5, common_rows = $6, exact_matches = $7, diff_rows = $8,
         missing_api = $9, missing_source = $10, max_delta = $11, books_checked = $12, races_checked = $13, outliers = $14
   WHERE run_id = $1 AND finished_at IS NULL`,
};

const FIND = {
  name: 'audit-findings',
  text: `
  INSERT INTO quality_findings (run_id, position, bookmaker_key, race_id, venue, race_number, day, status, delta, message, api, source)
  SELECT $1, f.* FROM json_to_recordset($2) AS f (position integer, "bookmakerKey" text, "raceId" uuid, venue text, "raceNumber" integer,
         day date, status text, delta float8, message text, api json, source json)`,
};

const FORGET = {
  name: 'audit-forget',
  text: `DELETE FROM quality_audits WHERE started_at < $1::timestamptz - interval '30 days'`,
};

export function createAuditStore(pool: Pool): AuditStore {
  return {
    async begin({ runId, sportKey }, at) {
      const { rows } = await pool.query<{ open: boolean }>({ ...BEGIN, values: [runId, sportKey, AUDITED_MARKET, at] });
      return rows[0]!.open;
    },
    end: (runId, { verdict, figures, findings }, at) =>
      inTransaction(pool, async (client) => {
        const { rowCount } = await client.query({ ...END, values: [runId, at, verdict, ...columnsOf(figures)] });
        if (rowCount === 1) await client.query({ ...FIND, values: [runId, JSON.stringify(findings.map(rowOf))] });
        await client.query({ ...FORGET, values: [at] });
      }),
  };
}

const columnsOf = (figures: AuditFigures): readonly (number | null)[] => [
  figures.apiRows,
  figures.sourceRows,
  figures.commonRows,
  figures.exactMatches,
  figures.diffRows,
  figures.missingApi,
  figures.missingSource,
  figures.maxDelta,
  figures.booksChecked,
  figures.racesChecked,
  figures.outliers,
];

const rowOf = ({ race, ...finding }: Finding, position: number) => ({ position, ...race, ...finding });
