// Results of a window with everything held about each (A 2.11). Newest start first, then race id: stable, so paging never
// skips or repeats a row of an unchanged table (D8).
import type { Pool } from 'pg';
import type { Category, Day, Instant } from '../../domain/race';
import type { FieldStatus, ResultRunner } from '../store';

export interface ResultsQuery {
  readonly from: Instant;
  /** End, exclusive. */
  readonly until: Instant;
  readonly day?: Day;
  readonly categories?: readonly Category[];
  readonly venues?: readonly string[];
  readonly countries?: readonly string[];
  readonly status?: string;
  readonly limit: number;
  readonly offset: number;
}

export interface HeldPlacing {
  readonly position: number;
  readonly number: number;
  readonly name: string | null;
  readonly win_price: number | null;
  readonly place_price: number | null;
}

export interface HeldDeduction {
  readonly name: string | null;
  readonly number: number;
  readonly win: number | null;
  readonly place: number | null;
  readonly scratched_at: Instant | null;
}

export interface ResultRow {
  readonly race_id: string;
  readonly meeting_date: Day;
  readonly coverage_from: Instant | null;
  readonly venue: string;
  readonly venue_id: string;
  readonly venue_canonical: string;
  readonly venue_site: string;
  readonly race_number: number;
  readonly category: Category;
  readonly country: string | null;
  readonly start_time: Instant;
  readonly race_name: string | null;
  readonly distance_m: number | null;
  readonly track_condition: string | null;
  readonly weather: string | null;
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly status_note: string | null;
  readonly protest: boolean;
  readonly placings: readonly HeldPlacing[];
  readonly runners: readonly ResultRunner[] | null;
  readonly dividends: Readonly<Record<string, unknown>> | null;
  readonly deductions: readonly HeldDeduction[];
  readonly resulted_at: Instant | null;
  readonly market_closed_at: Instant | null;
  readonly inplay_at: Instant | null;
  readonly market_state_source: string | null;
  readonly field_status: FieldStatus;
  readonly field_source: string | null;
  readonly field_note: string | null;
  readonly field_last_pass_at: Instant | null;
}

/** Of Hong Kong prices alone are published, and an unknown country may still become any (A 1, A 4.11). */
export const HAS_RESULTS_FEED = `r.country IS DISTINCT FROM 'HK'`;

/** The earliest race whose result is kept; the window that a customer may ask about begins there. */
export const COVERAGE_FROM = `(
  SELECT k.start_time FROM races k
   WHERE k.country IS DISTINCT FROM 'HK' AND EXISTS (SELECT FROM race_results y WHERE y.race_id = k.race_id)
  ORDER BY k.start_time LIMIT 1)`;

export const RESULTS = {
  name: 'results',
  text: `SELECT r.race_id, ${COVERAGE_FROM} AS coverage_from, r.meeting_date, r.venue, r.venue_id, r.venue_canonical, r.venue_site,
      r.race_number, r.category, r.country, r.start_time, r.race_name, r.distance_m, r.track_condition, r.weather,
      x.status, x.status_note, x.protest, x.placings, x.runners, x.dividends, x.deductions, x.resulted_at, x.market_closed_at,
      x.inplay_at, x.market_state_source, x.field_status, x.field_source, x.field_note, x.field_last_pass_at
    FROM races r JOIN race_results x USING (race_id)
    WHERE r.start_time >= $1 AND r.start_time < $2
      AND ${HAS_RESULTS_FEED}
      AND ($3::date IS NULL OR r.meeting_date = $3)
      AND ($4::text[] IS NULL OR r.category = ANY ($4))
      AND ($5::text[] IS NULL OR lower(r.venue) = ANY (SELECT lower(v) FROM unnest($5) v))
      AND ($6::text[] IS NULL OR r.country = ANY ($6))
      AND ($7::text IS NULL OR x.status = $7)
    ORDER BY r.start_time DESC, r.race_id LIMIT $8 OFFSET $9`,
};

export async function readResults(pool: Pool, query: ResultsQuery): Promise<readonly ResultRow[]> {
  const { from, until, day, categories, venues, countries, status, limit, offset } = query;
  const window = [from, until, day ?? null];
  const filters = [categories ?? null, venues ?? null, countries ?? null, status ?? null];
  const { rows } = await pool.query<ResultRow>({ ...RESULTS, values: [...window, ...filters, limit, offset] });
  return rows;
}
