// The directory of venues (A 2.10): those with a race in the live window, or with a result in the trailing 60 days.
import type { Pool } from 'pg';
import { shownOn } from '../races/shown';

export interface VenueRow {
  readonly venue_id: string;
  readonly venue_canonical: string;
  readonly venue_site: string;
  readonly country: string | null;
  readonly categories: readonly string[];
  readonly spellings: readonly string[];
}

// Reads only the latest race that counts per venue and code, by the index `races_by_venue`. Every race's venue is in
// `venue_spellings`.
const VENUES = {
  name: 'venues',
  text: `WITH spelled AS (
      SELECT venue_id, category, max(country) AS country FROM venue_spellings GROUP BY 1, 2),
    latest AS (
      SELECT s.venue_id, s.category, r.venue_canonical, r.venue_site, COALESCE(r.country, s.country) AS country, r.start_time
      FROM spelled s CROSS JOIN LATERAL (
        SELECT r.venue_canonical, r.venue_site, r.country, r.start_time FROM races r
        WHERE r.venue_id = s.venue_id AND r.category = s.category AND r.start_time >= $1::timestamptz - INTERVAL '60 days'
          AND (${shownOn('listed', 'r', '$1')}
            OR EXISTS (SELECT FROM race_results x WHERE x.race_id = r.race_id))
        ORDER BY r.start_time DESC LIMIT 1) r)
    SELECT l.venue_id,
      (array_agg(l.venue_canonical ORDER BY l.start_time DESC))[1] AS venue_canonical,
      (array_agg(l.venue_site ORDER BY l.start_time DESC))[1] AS venue_site,
      (array_agg(l.country ORDER BY l.start_time DESC) FILTER (WHERE l.country IS NOT NULL))[1] AS country,
      array_agg(l.category ORDER BY l.category) AS categories,
      ARRAY(SELECT DISTINCT v.spelling FROM venue_spellings v WHERE v.venue_id = l.venue_id ORDER BY 1) AS spellings
    FROM latest l GROUP BY l.venue_id ORDER BY l.venue_id`,
};

export async function readVenues(pool: Pool, nowIso: string): Promise<readonly VenueRow[]> {
  const { rows } = await pool.query<VenueRow>({ ...VENUES, values: [nowIso] });
  return rows;
}
