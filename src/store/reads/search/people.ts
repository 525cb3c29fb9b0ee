// The rides of jockeys and drivers, and the runners of trainers, whose name has words that begin so: of the races
// around an instant alone, found by their start.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { RaceName } from '../races/race-window';

export interface PeopleQuery {
  /** Lowercase letters and digits; each begins a word of the name. */
  readonly words: readonly string[];
  /** Of advertised starts; the end is exclusive. */
  readonly from: Instant;
  readonly until: Instant;
}

export interface RideRow extends RaceName {
  readonly role: 'rider' | 'trainer';
  readonly person: string;
  readonly number: number;
  readonly runner: string;
}

const MOST_RIDES = 120;

/** As the domain folds a text: apostrophes join, other punctuation separates. */
const folded = (column: string): string => `' ' || translate(lower(${column}), '.,-''’', '   ')`;

const ridesOf = (role: RideRow['role'], column: string): string => `
  SELECT '${role}' AS role, u.${column} AS person, u.number, u.name AS runner,
      r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time
    FROM races r JOIN race_runners u USING (race_id)
   WHERE r.start_time >= $2 AND r.start_time < $3 AND u.${column} IS NOT NULL AND NOT u.scratched
     AND (${folded(`u.${column}`)}) LIKE ALL (ARRAY(SELECT '% ' || w || '%' FROM unnest($1::text[]) w))`;

const RIDES = {
  name: 'search-rides',
  text: `${ridesOf('rider', 'jockey')} UNION ALL ${ridesOf('trainer', 'trainer')}
    ORDER BY role, person, start_time, race_id, number LIMIT ${MOST_RIDES}`,
};

/** By role, name and start. */
export const readRides = async (pool: Pool, { words, from, until }: PeopleQuery): Promise<readonly RideRow[]> =>
  (await pool.query<RideRow>({ ...RIDES, values: [words, from, until] })).rows;
