// The measured directory of venues (A 2.10): where races run in the live window, or had a result in the trailing 60 days.
import type { Pool } from 'pg';

export interface VenueRow {
  readonly venue_id: string;
  readonly venue_canonical: string;
  readonly venue_site: string;
  readonly country: string | null;
  readonly categories: readonly string[];
  readonly spellings: readonly string[];
}

// Spellings come from the races counted here and from what every book wrote of the same venue.
const VENUES = {
  name: 'venues',
  text: `WITH seen AS (
      SELECT r.venue_id, r.venue, r.venue_canonical, r.venue_site, r.country, r.category, r.start_time
      FROM races r
      WHERE r.start_time >= $1::timestamptz - INTERVAL '60 days'
        AND ((r.left_board_at IS NULL AND r.start_time >= $1::timestamptz - INTERVAL '70 minutes')
          OR EXISTS (SELECT FROM race_results x WHERE x.race_id = r.race_id)))
    SELECT s.venue_id,
      (array_agg(s.venue_canonical ORDER BY s.start_time DESC))[1] AS venue_canonical,
      (array_agg(s.venue_site ORDER BY s.start_time DESC))[1] AS venue_site,
      (array_agg(s.country ORDER BY s.start_time DESC) FILTER (WHERE s.country IS NOT NULL))[1] AS country,
      array_agg(DISTINCT s.category) AS categories,
      (SELECT array_agg(DISTINCT spelling ORDER BY spelling) FROM (
        SELECT unnest(array_agg(s.venue)) UNION SELECT v.spelling FROM venue_spellings v WHERE v.venue_id = s.venue_id
      ) AS every (spelling)) AS spellings
    FROM seen s GROUP BY s.venue_id ORDER BY s.venue_id`,
};

export async function readVenues(pool: Pool, nowIso: string): Promise<readonly VenueRow[]> {
  const { rows } = await pool.query<VenueRow>({ ...VENUES, values: [nowIso] });
  return rows;
}
