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

export interface FoundRides {
  /** By role, name (the whole name asked for first) and start. */
  readonly rides: readonly RideRow[];
  /** Whether others have such a name too. */
  readonly more: boolean;
}

/** Of each role. */
const MOST_PEOPLE = 30;

/** The steps of `foldText`, after a space. */
const folded = (column: string): string => {
  const plain = `lower(regexp_replace(normalize(${column}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`;
  return `regexp_replace(' ' || replace(translate(${plain}, '''’\`', ''), '&', ' and '), '[^a-z0-9]+', ' ', 'g')`;
};

/** `nth`: of the person among those found, first who has these words and no other. */
const ridesOf = (role: RideRow['role'], column: string): string => `
  SELECT '${role}' AS role, u.${column} AS person, u.number, u.name AS runner,
      r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time,
      dense_rank() OVER (ORDER BY btrim(f.name) <> array_to_string($1::text[], ' '), u.${column})::integer AS nth
    FROM races r JOIN race_runners u USING (race_id)
    CROSS JOIN LATERAL (SELECT ${folded(`u.${column}`)} AS name) f
   WHERE r.start_time >= $2 AND r.start_time < $3 AND u.${column} IS NOT NULL AND NOT u.scratched
     AND f.name LIKE ALL (ARRAY(SELECT '% ' || w || '%' FROM unnest($1::text[]) w))`;

const RIDES = {
  name: 'search-rides',
  text: `SELECT * FROM (${ridesOf('rider', 'jockey')} UNION ALL ${ridesOf('trainer', 'trainer')}) found
    WHERE nth <= ${MOST_PEOPLE + 1} ORDER BY role, nth, start_time, race_id, number`,
};

/** The first people of each role, each with every ride. */
export async function readRides(pool: Pool, { words, from, until }: PeopleQuery): Promise<FoundRides> {
  const { rows } = await pool.query<RideRow & { nth: number }>({ ...RIDES, values: [words, from, until] });
  const rides = rows.filter(({ nth }) => nth <= MOST_PEOPLE);
  return { rides, more: rides.length < rows.length };
}
