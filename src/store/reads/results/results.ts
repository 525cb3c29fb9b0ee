// Results of a window or a day (A 2.11). Newest start first, then race id, so that paging never skips or repeats a row
// of an unchanged table (D8).
import type { Pool } from 'pg';
import type { Category, Day, Instant } from '../../../domain/race/race';
import type { ResultRunner } from '../../../domain/results/result';
import { domesticColumns } from '../races/international';
import { millis, type RunnerRow } from '../races/runners';
import { venueMatches } from '../races/venue-match';

/** By advertised start, `until` exclusive; or by meeting day, even if a start has moved to another day. */
export type ResultsSpan = { readonly from: Instant; readonly until: Instant } | { readonly day: Day };

export type ResultsQuery = ResultsSpan & ResultsFilters;

interface ResultsFilters {
  readonly categories?: readonly Category[];
  readonly venues?: readonly string[];
  readonly countries?: readonly string[];
  readonly status?: string;
  readonly limit: number;
  readonly offset: number;
}

export interface ResultPlacing {
  readonly position: number;
  readonly number: number;
  readonly name: string | null;
  readonly win_price: number | null;
  readonly place_price: number | null;
}

export interface ResultDeduction {
  readonly name: string | null;
  readonly number: number;
  readonly win: number | null;
  readonly place: number | null;
  readonly scratched_at: Instant | null;
}

/** The starters, by the card. */
export type ListedRunner = Pick<RunnerRow, 'number' | 'name' | 'emergency' | 'scratched' | 'scratchedAt'>;

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
  readonly places_paid: number | null;
  /** Only if no places are reported: the evidence of starters. */
  readonly card: readonly ListedRunner[] | null;
  readonly status: 'interim' | 'final' | 'abandoned';
  readonly status_note: string | null;
  readonly protest: boolean;
  readonly placings: readonly ResultPlacing[];
  readonly runners: readonly ResultRunner[] | null;
  readonly dividends: Readonly<Record<string, unknown>> | null;
  readonly deductions: readonly ResultDeduction[];
  readonly resulted_at: Instant | null;
  readonly market_closed_at: Instant | null;
  readonly inplay_at: Instant | null;
  readonly market_state_source: string | null;
  readonly field_last_pass_at: Instant | null;
}

/** Hong Kong has no published results. A race of unknown country is included (A 1, A 4.11). */
export const HAS_RESULTS_FEED = `r.country IS DISTINCT FROM 'HK'`;

/** Of `races r`: `places_paid`, and `card` as tuples. */
export const PLACE_COLUMNS = `r.places_paid,
      CASE WHEN r.places_paid IS NULL THEN (
        SELECT json_agg(json_build_array(u.number, u.name, u.emergency, u.scratched, ${millis('u.scratched_at')}))
        FROM race_runners u WHERE u.race_id = r.race_id) END AS card`;

/** Start of the earliest race with a stored result, where the range of a customer's queries begins. */
export const COVERAGE_FROM = `(
  SELECT k.start_time FROM races k
   WHERE k.country IS DISTINCT FROM 'HK' AND EXISTS (SELECT FROM race_results y WHERE y.race_id = k.race_id)
  ORDER BY k.start_time LIMIT 1)`;

const resultsOf = (span: string): string => `
  SELECT r.race_id, ${COVERAGE_FROM} AS coverage_from, r.meeting_date, r.venue, r.venue_id, r.venue_canonical, r.venue_site,
      r.race_number, r.category, r.country, r.start_time, r.race_name, r.distance_m,
      ${domesticColumns('track_condition', 'weather')}, ${PLACE_COLUMNS},
      x.status, x.status_note, x.protest, x.placings, x.runners, x.dividends, x.deductions, x.resulted_at, x.market_closed_at,
      x.inplay_at, x.market_state_source, x.field_last_pass_at
    FROM races r JOIN race_results x USING (race_id)
    WHERE ${span}
      AND ${HAS_RESULTS_FEED}
      AND ($1::text[] IS NULL OR r.category = ANY ($1))
      AND ($2::text[] IS NULL OR ${venueMatches('$2')})
      AND ($3::text[] IS NULL OR r.country = ANY ($3))
      AND ($4::text IS NULL OR x.status = $4)
    ORDER BY r.start_time DESC, r.race_id LIMIT $5 OFFSET $6`;

export const RESULTS = { name: 'results', text: resultsOf('r.start_time >= $7 AND r.start_time < $8') };
const RESULTS_OF_DAY = { name: 'results_of_day', text: resultsOf('r.meeting_date = $7') };

export async function readResults(pool: Pool, query: ResultsQuery): Promise<readonly ResultRow[]> {
  const { categories, venues, countries, status, limit, offset } = query;
  const filters = [categories ?? null, venues ?? null, countries ?? null, status ?? null, limit, offset];
  const statement =
    'day' in query
      ? { ...RESULTS_OF_DAY, values: [...filters, query.day] }
      : { ...RESULTS, values: [...filters, query.from, query.until] };
  return (await pool.query<Stored<ResultRow>>(statement)).rows.map(withCard);
}

type ListedTuple = [number, string, boolean | null, boolean, number | null];

const listedOf = ([number, name, emergency, scratched, at]: ListedTuple): ListedRunner => ({
  number,
  name,
  emergency,
  scratched,
  scratchedAt: at === null ? null : new Date(at).toISOString(),
});

/** A row with `card` as `PLACE_COLUMNS` reads it. */
export type Stored<R> = Omit<R, 'card'> & { readonly card: readonly ListedTuple[] | null };

export const withCard = <R extends { readonly card: readonly ListedTuple[] | null }>(row: R) => ({
  ...row,
  card: row.card?.map(listedOf) ?? null,
});
