// Closing-line rows (B 2.1), columns in the contract's appended order; `horse_ref` is derived when a row is presented.
import type { Pool } from 'pg';
import type { Category, Day, Instant } from '../../../domain/race/race';
import {
  type ArchivedTable,
  type ArchivePage,
  type Beginning,
  readArchivePage,
  streamArchive,
} from './pages/archived-page';
import type { PageBounds } from './pages/page-plan';
import type { ArchiveSelection } from './selection';

/** The columns that every row of the archive has about its race and runner. */
export interface ArchivedRow {
  readonly race_id: string;
  readonly start_time: Instant;
  readonly meeting_date_aet: Day;
  readonly venue: string;
  readonly race_number: number;
  readonly category: Category;
  readonly country: string | null;
  readonly runner_key: string;
  /** If the card does not have the name, its key. */
  readonly runner_name: string;
  readonly runner_number: number;
  readonly venue_id: string;
  readonly venue_site: string;
  readonly runner_ref: string | null;
}

export interface ClosingLineRow extends ArchivedRow {
  readonly bookmaker_key: string;
  readonly open_win_price: number;
  readonly open_secs_to_jump: number;
  readonly close_win_price: number;
  readonly close_secs_to_jump: number;
  readonly points_observed: number;
  readonly finish_position: number | null;
  readonly result_status: 'interim' | 'final' | 'abandoned' | null;
  readonly is_closing_line: boolean;
  readonly open_is_baseline: boolean;
  readonly venue_split_suspect: boolean;
  readonly name_fragment_suspect: boolean;
  readonly scratched: boolean;
  readonly open_place_price: number | null;
  readonly close_place_price: number | null;
  readonly scratched_at: Instant | null;
  readonly open_top2_price: number | null;
  readonly open_top3_price: number | null;
  readonly open_top4_price: number | null;
  readonly close_top2_price: number | null;
  readonly close_top3_price: number | null;
  readonly close_top4_price: number | null;
  /** Unrounded, like the two prices below. */
  readonly consensus_close_prob: number | null;
  readonly consensus_close_price: number | null;
  readonly books_in_consensus_close: number;
  readonly consensus_open_price: number | null;
  readonly books_in_consensus_open: number;
  readonly close_found_by: 'tick' | 'poll' | 'none';
  readonly close_age_s: number;
}

/** Over races `r` and runners `u`. */
export const RACE_COLUMNS = `r.race_id, r.start_time, r.meeting_date AS meeting_date_aet, r.venue, r.race_number, r.category, r.country,
      u.runner_key, COALESCE(u.name, u.runner_key) AS runner_name, u.number AS runner_number`;

/** Rows `t` of the races $1 with the starts $2 (from $7 to $8), with $5 and $6 of the selection. */
export const ofRaces = (table: string): string => `unnest($1::uuid[], $2::timestamptz[]) AS q (race_id, start_time)
    JOIN archived_races r USING (race_id)
    JOIN ${table} t ON t.start_time = q.start_time AND t.race_id = q.race_id
    JOIN archived_runners u ON u.race_id = q.race_id AND u.runner = t.runner
    WHERE t.start_time BETWEEN $7 AND $8 AND ($5 OR NOT (r.venue_split_suspect OR u.name_fragment_suspect)) AND ($6 OR NOT u.scratched)`;

/** Over races `r`, runners `u` and lines `t`. */
export const LINE_COLUMNS = `${RACE_COLUMNS}, t.bookmaker_key, t.open_win_price, t.open_secs_to_jump, t.close_win_price, t.close_secs_to_jump,
      t.points_observed, r.venue_id, r.venue_site, u.runner_ref, u.finish_position, r.result_status, t.is_closing_line, t.open_is_baseline,
      r.venue_split_suspect, u.name_fragment_suspect, u.scratched, t.open_place_price, t.close_place_price, u.scratched_at,
      t.open_top2_price, t.open_top3_price, t.open_top4_price, t.close_top2_price, t.close_top3_price, t.close_top4_price,
      u.consensus_close_prob, 1 / u.consensus_close_prob AS consensus_close_price, u.books_in_consensus_close, u.consensus_open_price,
      u.books_in_consensus_open, t.close_found_by, t.close_age_s`;

const CLOSING_LINES: ArchivedTable<ClosingLineRow> = {
  what: 'line',
  text: `SELECT ${LINE_COLUMNS}
    FROM ${ofRaces(`LATERAL (
      SELECT * FROM archived_closing_lines l
       WHERE l.start_time = q.start_time AND l.race_id = q.race_id AND l.start_time BETWEEN $7 AND $8
         AND ($3::text[] IS NULL OR l.bookmaker_key = ANY ($3)) AND (NOT $4 OR l.is_closing_line) OFFSET 0)`)}
    ORDER BY t.start_time, t.race_id, t.runner, t.bookmaker_key`,
};

/** Ordered by start, race, runner number and bookmaker. */
export const readClosingLines = (
  pool: Pool,
  selection: ArchiveSelection,
  page: PageBounds,
): Promise<ArchivePage<ClosingLineRow>> => readArchivePage(pool, CLOSING_LINES, selection, page);

export const streamClosingLines = (
  pool: Pool,
  selection: ArchiveSelection,
  limit: number,
  begin: Beginning,
): AsyncGenerator<readonly ClosingLineRow[]> => streamArchive(pool, CLOSING_LINES, selection, limit, begin);
