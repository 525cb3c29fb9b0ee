// What is known of the full field of every result of some Sydney days; counting is not done here, so that one function decides (A 2.12).
import type { Pool } from 'pg';
import type { Category, Day, Instant } from '../../domain/race';
import { COVERAGE_FROM, HAS_RESULTS_FEED } from './results';

export interface CoverageQuery {
  readonly from: Day;
  /** Inclusive. */
  readonly to: Day;
}

export interface CoverageRace {
  readonly meeting_date: Day;
  readonly category: Category;
  readonly country: string | null;
  /** As the feeds spell it: what `venue=` of the results finds it by. */
  readonly venue: string;
  readonly venue_id: string;
  readonly start_time: Instant;
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly has_runners: boolean;
  /** When a scheduled collector pass last ran without a field. */
  readonly field_last_pass_at: Instant | null;
}

export interface CoverageRead {
  readonly coverageFrom: Instant | null;
  readonly races: readonly CoverageRace[];
}

// One row at least, so that `coverage_from` is there also when no race is.
const COVERAGE = {
  name: 'results_coverage',
  text: `SELECT k.coverage_from, c.* FROM (SELECT ${COVERAGE_FROM} AS coverage_from) k LEFT JOIN (
      SELECT r.race_id, r.meeting_date, r.category, r.country, r.venue, r.venue_id, r.start_time, x.status,
        x.runners IS NOT NULL AS has_runners, x.field_last_pass_at
      FROM races r JOIN race_results x USING (race_id)
      WHERE r.meeting_date >= $1 AND r.meeting_date <= $2
        AND ${HAS_RESULTS_FEED}) c ON true
    ORDER BY c.meeting_date DESC, c.start_time DESC, c.race_id`,
};

/** Newest meeting day first, in it the last race first. */
export async function readResultsCoverage(pool: Pool, { from, to }: CoverageQuery): Promise<CoverageRead> {
  type Row = CoverageRace & { coverage_from: Instant | null };
  const { rows } = await pool.query<Row>({ ...COVERAGE, values: [from, to] });
  const races = rows.filter((row) => row.meeting_date !== null);
  return { coverageFrom: rows[0]?.coverage_from ?? null, races };
}
