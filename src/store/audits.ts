// Stores audits of prices: a run once, under its id, with all its findings.
import type { Pool } from 'pg';
import {
  AUDITED_MARKET,
  AUDITED_MARKET_OF_SPORTS,
  type AuditFigures,
  type AuditOrder,
  type Finding,
  type Verdict,
} from '../domain/quality/audit';
import type { BookLevel } from '../domain/quality/book-level';
import type { Instant } from '../domain/race/race';
import { inTransaction } from './pg/transaction';

interface AuditEnd {
  readonly verdict: Verdict;
  readonly figures: AuditFigures;
  readonly findings: readonly Finding[];
  /** By bookmaker key, as of this run. */
  readonly levels: ReadonlyMap<string, BookLevel>;
}

/** The data that one push was compared with. */
interface PushCheck {
  readonly bookmakerKey: string;
  readonly sportKey: AuditOrder['sportKey'];
  readonly figures: AuditFigures;
  readonly findings: readonly Finding[];
}

export interface AuditStore {
  /** False: the run has already ended. */
  begin(order: AuditOrder, at: Instant): Promise<boolean>;
  /** The first end counts, and moves the levels. Runs older than 30 days are deleted. */
  end(order: AuditOrder, end: AuditEnd, at: Instant): Promise<void>;
  /** Replaces the previous one of the bookmaker and sport. */
  savePushCheck(check: PushCheck, at: Instant): Promise<void>;
  /** Since the newest run of the sport that ended. */
  pushChecks(sportKey: AuditOrder['sportKey']): Promise<readonly PushCheck[]>;
  /** By bookmaker key. */
  levels(sportKey: AuditOrder['sportKey']): Promise<ReadonlyMap<string, BookLevel>>;
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
         missing_api = $9, missing_source = $10, max_delta = $11, books_checked = $12, races_checked = $13, outliers = $14, cross_checks = $15
   WHERE run_id = $1 AND finished_at IS NULL`,
};

const FIND = {
  name: 'audit-findings',
  text: `
  INSERT INTO quality_findings (run_id, position, bookmaker_key, race_id, venue, race_number, day, event_key, event_id, market, status, delta,
         message, api, source)
  SELECT $1, f.* FROM json_to_recordset($2) AS f (position integer, "bookmakerKey" text, "raceId" uuid, venue text, "raceNumber" integer,
         day date, key json, "eventId" uuid, market text, status text, delta float8, message text, api json, source json)`,
};

const SAVE_PUSH_CHECK = {
  name: 'audit-save-push-check',
  text: `
  INSERT INTO quality_push_checks (bookmaker_key, sport_key, checked_at, figures, findings) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (bookmaker_key, sport_key) DO UPDATE
     SET checked_at = excluded.checked_at, figures = excluded.figures, findings = excluded.findings
   WHERE quality_push_checks.checked_at < excluded.checked_at`,
};

const PUSH_CHECKS = {
  name: 'audit-push-checks',
  text: `
  SELECT bookmaker_key AS "bookmakerKey", sport_key AS "sportKey", figures, findings FROM quality_push_checks
   WHERE sport_key = $1 AND checked_at > COALESCE(
     (SELECT max(started_at) FROM quality_audits WHERE sport_key = $1 AND finished_at IS NOT NULL), '-infinity')
   ORDER BY bookmaker_key`,
};

const LEVELS = {
  name: 'audit-levels',
  text: 'SELECT bookmaker_key AS key, distance, spread, readings FROM quality_levels WHERE sport_key = $1',
};

const MOVE_LEVELS = {
  name: 'audit-move-levels',
  text: `
  INSERT INTO quality_levels (bookmaker_key, sport_key, distance, spread, readings, updated_at)
  SELECT l.key, $1, l.distance, l.spread, l.readings, $3
    FROM json_to_recordset($2) AS l (key text, distance float8, spread float8, readings integer)
      ON CONFLICT (bookmaker_key, sport_key) DO UPDATE
     SET distance = excluded.distance, spread = excluded.spread, readings = excluded.readings, updated_at = excluded.updated_at`,
};

const FORGET = {
  name: 'audit-forget',
  text: `DELETE FROM quality_audits WHERE started_at < $1::timestamptz - interval '30 days'`,
};

export function createAuditStore(pool: Pool): AuditStore {
  return {
    async begin({ runId, sportKey }, at) {
      const { rows } = await pool.query<{ open: boolean }>({
        ...BEGIN,
        values: [runId, sportKey, marketOf(sportKey), at],
      });
      return rows[0]!.open;
    },
    end: ({ runId, sportKey }, { verdict, figures, findings, levels }, at) =>
      inTransaction(pool, async (client) => {
        const { rowCount } = await client.query({ ...END, values: [runId, at, verdict, ...columnsOf(figures)] });
        if (rowCount === 1) {
          await client.query({ ...FIND, values: [runId, JSON.stringify(findings.map(rowOf))] });
          const moved = [...levels].map(([key, level]) => ({ key, ...level }));
          await client.query({ ...MOVE_LEVELS, values: [sportKey, JSON.stringify(moved), at] });
        }
        await client.query({ ...FORGET, values: [at] });
      }),
    async savePushCheck({ bookmakerKey, sportKey, figures, findings }, at) {
      const values = [bookmakerKey, sportKey, at, JSON.stringify(figures), JSON.stringify(findings)];
      await pool.query({ ...SAVE_PUSH_CHECK, values });
    },
    async pushChecks(sportKey) {
      const { rows } = await pool.query<PushCheck>({ ...PUSH_CHECKS, values: [sportKey] });
      return rows;
    },
    async levels(sportKey) {
      const { rows } = await pool.query<BookLevel & { key: string }>({ ...LEVELS, values: [sportKey] });
      return new Map(rows.map(({ key, ...level }) => [key, level]));
    },
  };
}

const marketOf = (sportKey: AuditOrder['sportKey']): string =>
  sportKey === 'sports' ? AUDITED_MARKET_OF_SPORTS : AUDITED_MARKET;

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
  figures.crossChecks,
];

const rowOf = ({ race, event, ...finding }: Finding, position: number) => ({ position, ...race, ...event, ...finding });
