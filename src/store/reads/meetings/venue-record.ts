// What the closes of a venue's races were worth, by code: how often the favourite of the close won, and the price at
// which winners closed. Of races with a final result whose every price customers may see, found by the index
// `races_by_venue`.
import type { Pool } from 'pg';
import type { Category, Day } from '../../../domain/race/race';
import { HAS_RESULTS_FEED } from '../results/results';

export interface VenueRecordRow {
  readonly category: Category;
  /** With a winner that has a closing consensus. */
  readonly races: number;
  /** Of these, those with one favourite. */
  readonly with_favourite: number;
  readonly favourites_won: number;
  /** Of winners; a dead heat has several. */
  readonly median_winner: number;
  /** Day of the first of these races. */
  readonly since: Day;
}

const MOST_RACES = 600;

const VENUE_RECORD = {
  name: 'venue-record',
  text: `WITH ran AS (
      SELECT r.race_id, r.category, r.start_time, r.meeting_date FROM races r JOIN race_results x USING (race_id)
       WHERE r.venue_id = $1 AND r.category = ANY (ARRAY['horse', 'harness', 'greyhound']) AND r.start_time >= $2
         AND x.status = 'final' AND ${HAS_RESULTS_FEED}
       ORDER BY r.start_time DESC LIMIT ${MOST_RACES}),
    closed AS (
      SELECT r.race_id, r.category, r.meeting_date, u.finish_position = 1 AS won, t.consensus_close AS price,
          min(t.consensus_close) OVER (PARTITION BY r.race_id) AS shortest
        FROM ran r JOIN archived_races a ON a.race_id = r.race_id AND a.start_time = r.start_time
        JOIN archived_runners u ON u.race_id = r.race_id AND NOT u.scratched AND NOT u.name_fragment_suspect
        JOIN archived_summaries t ON t.start_time = a.start_time AND t.race_id = a.race_id AND t.runner = u.runner
       WHERE t.consensus_close IS NOT NULL AND NOT a.venue_split_suspect),
    of_race AS (
      SELECT race_id, category, meeting_date, count(*) FILTER (WHERE price = shortest) = 1 AS has_favourite,
          bool_or(price = shortest AND won) AS favourite_won
        FROM closed GROUP BY 1, 2, 3 HAVING bool_or(won))
    SELECT o.category, count(*)::integer AS races, count(*) FILTER (WHERE o.has_favourite)::integer AS with_favourite,
        count(*) FILTER (WHERE o.has_favourite AND o.favourite_won)::integer AS favourites_won, min(o.meeting_date) AS since,
        (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY c.price) FROM closed c WHERE c.won AND c.category = o.category) AS median_winner
      FROM of_race o GROUP BY o.category ORDER BY o.category`,
};

/** One row for each code with such a race. */
export async function readVenueRecord(pool: Pool, venueId: string, from: Day): Promise<readonly VenueRecordRow[]> {
  return (await pool.query<VenueRecordRow>({ ...VENUE_RECORD, values: [venueId, from] })).rows;
}
