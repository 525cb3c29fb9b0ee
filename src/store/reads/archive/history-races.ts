// Finds the races that a request for a price history selects, including past ones: by id, or by venue, number and the
// day of their start in UTC, the only day in the service that is not Sydney's (B 4.4, D45).
import type { Pool } from 'pg';
import type { Day } from '../../../domain/race/race';
import type { RaceIdentity } from '../races/race-window';
import { nearestVenue, venueMatches } from '../races/venue-match';

export type HistoryQuery =
  | { readonly raceId: string }
  /** `venue` in any spelling of the feeds, in any case. */
  | { readonly venue: string; readonly utcDay: Day; readonly raceNumber: number };

const SELECT = `
  SELECT r.race_id, r.venue, r.venue_id, r.venue_canonical, r.venue_site, r.race_number, r.category, r.country, r.start_time FROM races r`;

const BY_ID = { name: 'history-by-id', text: `${SELECT} WHERE r.race_id = $1` };

const BY_NUMBER = {
  name: 'history-by-number',
  text: `${SELECT} WHERE r.start_time >= $2::date::timestamptz AND r.start_time < ($2::date + 1)::timestamptz AND r.race_number = $3
     AND ${venueMatches('ARRAY[$1]')} ORDER BY r.start_time, r.race_id`,
};

export async function findHistoryRaces(pool: Pool, query: HistoryQuery): Promise<readonly RaceIdentity[]> {
  if ('raceId' in query) return (await pool.query<RaceIdentity>({ ...BY_ID, values: [query.raceId] })).rows;
  const { venue, utcDay, raceNumber } = query;
  const { rows } = await pool.query<RaceIdentity>({ ...BY_NUMBER, values: [venue, utcDay, raceNumber] });
  return nearestVenue(rows, venue);
}
