// The races of a past day for its page: the outcome of archiving each, its winner, and how many closing lines customers
// may read of it.
import type { Pool } from 'pg';
import type { ArchiveOutcome } from '../../../domain/archive/archive-race';
import type { Instant } from '../../../domain/race/race';
import type { RaceName } from '../races/race-window';
import { HAS_RESULTS_FEED } from '../results/results';

export interface PastRaceRow extends RaceName {
  /** Null: not archived yet. */
  readonly outcome: ArchiveOutcome | null;
  readonly result_status: 'interim' | 'final' | 'abandoned' | null;
  /** The first place; dead heats have several. */
  readonly winners: readonly { readonly number: number; readonly name: string | null }[];
  readonly closes: number;
  readonly books: number;
}

const PAST_RACES = {
  name: 'past-races',
  text: `SELECT r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time, a.outcome,
      CASE WHEN ${HAS_RESULTS_FEED} THEN x.status END AS result_status,
      CASE WHEN ${HAS_RESULTS_FEED} THEN COALESCE(
        (SELECT json_agg(json_build_object('number', (p->>'number')::integer, 'name', p->>'name') ORDER BY (p->>'number')::integer)
           FROM jsonb_array_elements(x.placings) p WHERE (p->>'position')::integer = 1), '[]') ELSE '[]' END AS winners,
      c.closes, c.books
    FROM races r LEFT JOIN archived_races a USING (race_id) LEFT JOIN race_results x USING (race_id)
   CROSS JOIN LATERAL (
      SELECT COALESCE(sum(n), 0)::integer AS closes, count(DISTINCT series)::integer AS books
        FROM archived_counts WHERE race_id = r.race_id AND what = 'line' AND closing) c
   WHERE r.start_time >= $1 AND r.start_time < $2 AND r.left_board_at IS NOT NULL
   ORDER BY r.start_time, r.race_id`,
};

/** That have left the board, by start. */
export const readPastRaces = async (pool: Pool, since: Instant, until: Instant): Promise<readonly PastRaceRow[]> =>
  (await pool.query<PastRaceRow>({ ...PAST_RACES, values: [since, until] })).rows;

const OUTCOME = {
  name: 'archived-outcome',
  text: 'SELECT outcome FROM archived_races WHERE race_id = $1',
};

/** The outcome of archiving a race; null: it is not archived. */
export const readArchiveOutcome = async (pool: Pool, raceId: string): Promise<ArchiveOutcome | null> =>
  (await pool.query<{ outcome: ArchiveOutcome }>({ ...OUTCOME, values: [raceId] })).rows[0]?.outcome ?? null;
