// The stored field state of every result of some Sydney days, one row per meeting, because thousands of races would be
// as many rows. Never judges it: one function of the domain decides (A 2.12).
import type { Pool } from 'pg';
import type { Category, Day, Instant } from '../../../domain/race/race';
import { COVERAGE_FROM, HAS_RESULTS_FEED } from './results';

export interface CoverageQuery {
  readonly from: Day;
  /** Inclusive. */
  readonly to: Day;
  /** A race that started before this should have a result. */
  readonly resultedBy: Instant;
}

export interface CoverageMeeting {
  readonly meeting_date: Day;
  readonly category: Category;
  readonly country: string | null;
  /** As the feeds spell it, for `venue=` of the results. */
  readonly venue: string;
  readonly venue_id: string;
  /** Those with a result. */
  readonly races: readonly CoverageRace[];
  readonly without_result: number;
}

/** `lastPassAt`: when a scheduled collector pass last ran without a field. */
type CoverageRace = readonly [
  status: 'interim' | 'final' | 'abandoned',
  hasRunners: boolean,
  startTime: Instant,
  lastPassAt: Instant | null,
];

export interface CoverageRead {
  readonly coverageFrom: Instant | null;
  readonly meetings: readonly CoverageMeeting[];
}

// At least one row, so that `coverage_from` is read even if there is no race.
export const COVERAGE = {
  name: 'results_coverage',
  text: `SELECT k.coverage_from, c.* FROM (SELECT ${COVERAGE_FROM} AS coverage_from) k LEFT JOIN (
      SELECT r.meeting_date, r.category, r.country, r.venue_id, min(r.venue) AS venue,
        COALESCE(json_agg(json_build_array(x.status, x.runners IS NOT NULL, r.start_time, x.field_last_pass_at))
                   FILTER (WHERE x.race_id IS NOT NULL), '[]') AS races,
        count(*) FILTER (WHERE x.race_id IS NULL)::integer AS without_result
      FROM races r LEFT JOIN race_results x USING (race_id)
      WHERE r.meeting_date >= $1 AND r.meeting_date <= $2
        AND ${HAS_RESULTS_FEED}
        AND (x.race_id IS NOT NULL OR r.start_time < $3)
      GROUP BY r.meeting_date, r.category, r.country, r.venue_id) c ON true`,
};

/** Unordered. */
export async function readResultsCoverage(pool: Pool, { from, to, resultedBy }: CoverageQuery): Promise<CoverageRead> {
  type Row = CoverageMeeting & { coverage_from: Instant | null };
  const { rows } = await pool.query<Row>({ ...COVERAGE, values: [from, to, resultedBy] });
  const meetings = rows.filter((row) => row.races !== null);
  return { coverageFrom: rows[0]?.coverage_from ?? null, meetings };
}
