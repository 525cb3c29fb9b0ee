// How many books list the same event: races and matches, and the books' own listings that are mapped to them.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { shownOn } from '../races/shown';

export interface ListedCounts {
  readonly events: number;
  readonly mappings: number;
}

const LISTED = {
  name: 'listed-counts',
  text: `
  SELECT count(DISTINCT event_id) AS events, count(*) AS mappings
    FROM (SELECT r.race_id AS event_id FROM races r JOIN race_books b USING (race_id)
           WHERE r.left_board_at IS NULL AND ${shownOn('listed', 'r', '$2')} AND b.bookmaker_key = ANY ($1)
          UNION ALL
          SELECT e.event_id FROM sport_events e JOIN sport_event_books b USING (event_id)
           WHERE e.commence_time > $2 AND b.taken_back_at IS NULL AND b.bookmaker_key = ANY ($1)) listed`,
};

/** Races on the board and matches that have not started, at these books. */
export async function readListedCounts(
  pool: Pool,
  bookmakers: readonly string[],
  nowIso: Instant,
): Promise<ListedCounts> {
  const { rows } = await pool.query<ListedCounts>({ ...LISTED, values: [bookmakers, nowIso] });
  return rows[0]!;
}
