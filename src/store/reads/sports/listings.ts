// A match in any state, with the rows of the books that list it or did: which they are, and why (D66). No prices.
import type { Pool } from 'pg';
import type { MatchListings } from '../../../domain/sports/match-listings';

const MS = (of: string): string => `floor(extract(epoch FROM ${of}) * 1000)::float8`;

const LISTED_MATCH = {
  name: 'listed-match',
  text: `SELECT e.event_id AS "eventId", e.joined_into AS "joinedInto", e.sport_key AS "sportKey", e.home_team AS "homeTeam",
      e.away_team AS "awayTeam", e.competition, ${MS('e.commence_time')} AS "startMs",
      COALESCE((SELECT json_agg(json_build_object('bookmaker', b.bookmaker_key, 'homeName', b.home_name, 'awayName', b.away_name,
            'swapped', b.swapped, 'startMs', ${MS('b.commence_time')}, 'observedMs', ${MS('b.observed_at')},
            'takenBackMs', ${MS('b.taken_back_at')}, 'competition', b.competition, 'placedBy', b.placed_by, 'ruled', b.ruled_at IS NOT NULL)
          ORDER BY b.bookmaker_key)
        FROM sport_event_books b WHERE b.event_id = e.event_id AND b.bookmaker_key = ANY ($2)), '[]') AS listings
    FROM sport_events e WHERE e.event_id = $1`,
};

/** With the rows of these books, by key. Null: there is no such match. */
export async function readListedMatch(
  pool: Pool,
  eventId: string,
  bookmakers: readonly string[],
): Promise<MatchListings | null> {
  const { rows } = await pool.query<MatchListings>({ ...LISTED_MATCH, values: [eventId, bookmakers] });
  return rows[0] ?? null;
}
