// The served data of a push, for its audit: the races and the matches that it wrote.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';

export interface PushedRaceRow {
  readonly raceId: string;
  readonly sourceRaceId: string;
}

const RACES = {
  name: 'pushed-races',
  text: `
  SELECT b.race_id AS "raceId", b.source_race_id AS "sourceRaceId"
    FROM race_books b JOIN races r USING (race_id)
   WHERE b.bookmaker_key = $1 AND b.source_race_id = ANY ($2) AND b.polled_at IS NOT NULL AND r.start_time > $3
   ORDER BY r.start_time, b.race_id LIMIT $4`,
};

/** The book's races that start after `after`, nearest first. */
export async function readPushedRaces(
  pool: Pool,
  bookmakerKey: string,
  sourceRaceIds: readonly string[],
  after: Instant,
  limit: number,
): Promise<readonly PushedRaceRow[]> {
  const values = [bookmakerKey, sourceRaceIds, after, limit];
  return (await pool.query<PushedRaceRow>({ ...RACES, values })).rows;
}

const MATCHES = {
  name: 'pushed-matches',
  text: `
  SELECT b.event_id AS "eventId" FROM sport_event_books b JOIN sport_events e USING (event_id)
   WHERE b.bookmaker_key = $1 AND b.observed_at = $2 AND b.taken_back_at IS NULL AND e.commence_time > $2
   ORDER BY md5(b.event_id::text || $3) LIMIT $4`,
};

/** Ids of matches that this push listed, selected by `draw`. */
export async function readPushedMatches(
  pool: Pool,
  bookmakerKey: string,
  observedAt: Instant,
  draw: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ eventId: string }>({
    ...MATCHES,
    values: [bookmakerKey, observedAt, draw, limit],
  });
  return rows.map(({ eventId }) => eventId);
}
