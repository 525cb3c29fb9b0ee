// What a jockey, driver or trainer has on the cards of some days, and the latest of all stored runs, by folded names:
// through the indexes of `person_key`, and a limited number of rows. Not of international races, whose runners'
// details customers do not get (A 1).
import type { Pool } from 'pg';
import type { StoredRun } from '../../../domain/form/stored-run';
import type { BoardFacts } from '../../../domain/race/board-state';
import type { PersonRole } from '../../../domain/race/person';
import type { Instant } from '../../../domain/race/race';
import { runColumns } from '../../runs/run-columns';
import { IS_INTERNATIONAL } from '../races/international';
import type { RaceName } from '../races/race-window';
import { HAS_RESULTS_FEED } from '../results/results';

export interface PersonQuery {
  readonly role: PersonRole;
  /** Folded names. */
  readonly keys: readonly string[];
  /** Only what the registry attributes to its person of this code; null: everything under the names. */
  readonly code: string | null;
}

export interface RidesQuery extends PersonQuery {
  /** Of advertised starts; the end is exclusive. */
  readonly from: Instant;
  readonly until: Instant;
}

export interface PersonRide extends RaceName, BoardFacts {
  readonly number: number;
  readonly runner: string;
  readonly runner_key: string;
  readonly scratched: boolean;
  /** The person's name as the card prints it. */
  readonly printed: string;
  /** The registry's code of the person; null if it attributes the ride to no person. */
  readonly code: string | null;
  readonly result_status: 'interim' | 'final' | 'abandoned' | null;
  /** Null before a result, and for runners whose finish it does not have. */
  readonly position: number | null;
}

export interface PersonRun extends StoredRun {
  readonly code: string | null;
}

/** More than a large stable has in fifteen days. */
const MOST_RIDES = 800;
/** Of a person without a ride in these days and without a stored run. */
const MOST_ANY_RIDES = 60;
const MOST_RUNS = 300;
const MOST_NAMES = 20;

/** The registry's code for the person of a row of these columns, if it names the same person there. */
const codeOf = (row: string, person: string): string => `(
  SELECT g.${person}_code FROM registry_races e JOIN registry_runners g USING (meeting_key, race_number)
   WHERE e.race_id = ${row}.race_id AND g.number = ${row}.number AND g.runner_key = ${row}.runner_key
     AND person_key(g.${person}) = person_key(${row}.${person}))`;

const finishIn = (list: string): string => `(
  SELECT (p->>'position')::integer FROM jsonb_array_elements(${list}) p WHERE (p->>'number')::integer = u.number LIMIT 1)`;

const rideColumns = (person: string) => `
  r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time, r.status,
  r.market_status, r.market_closed_at, r.market_state_source, r.jumped_at, r.left_board_at,
  u.number, u.name AS runner, u.runner_key, u.scratched, u.${person} AS printed, ${codeOf('u', person)} AS code,
  CASE WHEN ${HAS_RESULTS_FEED} THEN x.status END AS result_status,
  CASE WHEN ${HAS_RESULTS_FEED} THEN COALESCE(${finishIn('x.placings')}, ${finishIn('x.runners')}) END AS position`;

const ridesOf = (person: string) => ({
  name: `${person}-rides`,
  text: `SELECT * FROM (
    SELECT ${rideColumns(person)}
      FROM races r JOIN race_runners u ON u.race_id = r.race_id AND person_key(u.${person}) = ANY ($1)
      LEFT JOIN race_results x ON x.race_id = r.race_id
     WHERE r.start_time >= $2 AND r.start_time < $3 AND (${IS_INTERNATIONAL}) IS NOT TRUE) q
    WHERE $4::text IS NULL OR code = $4
    ORDER BY start_time DESC, race_id, number LIMIT ${MOST_RIDES}`,
});

/** Codes and results are read of those rides alone that are returned; a code, if one is wanted, of all. */
const anyRidesOf = (person: string) => ({
  name: `${person}-any-rides`,
  text: `SELECT ${rideColumns(person)}
      FROM (SELECT u.race_id, u.number, r.start_time
              FROM races r JOIN race_runners u ON u.race_id = r.race_id AND person_key(u.${person}) = ANY ($1)
             WHERE (${IS_INTERNATIONAL}) IS NOT TRUE AND ($2::text IS NULL OR ${codeOf('u', person)} = $2)
             ORDER BY r.start_time DESC, u.race_id, u.number LIMIT ${MOST_ANY_RIDES}) latest
      JOIN races r USING (race_id) JOIN race_runners u USING (race_id, number)
      LEFT JOIN race_results x ON x.race_id = r.race_id
     ORDER BY r.start_time DESC, r.race_id, u.number`,
});

const runsOf = (person: string) => ({
  name: `${person}-runs`,
  text: `SELECT * FROM (
      SELECT ${runColumns('s.')}, ${codeOf('s', person)} AS code FROM stored_runs s WHERE person_key(s.${person}) = ANY ($1)
       ORDER BY s.start_time DESC LIMIT ${2 * MOST_RUNS}) q
    WHERE $2::text IS NULL OR code = $2 ORDER BY start_time DESC, result_id, number LIMIT ${MOST_RUNS}`,
});

const namesOf = (person: string) => ({
  name: `${person}-names`,
  text: `SELECT DISTINCT person_key(${person}) AS key FROM (
      SELECT ${person} FROM registry_runners WHERE ${person}_code = $1 ORDER BY updated_at DESC LIMIT 500) q
    WHERE person_key(${person}) IS NOT NULL LIMIT ${MOST_NAMES}`,
});

export const PEOPLE_STATEMENTS = {
  rider: { rides: ridesOf('jockey'), anyRides: anyRidesOf('jockey'), runs: runsOf('jockey'), names: namesOf('jockey') },
  trainer: {
    rides: ridesOf('trainer'),
    anyRides: anyRidesOf('trainer'),
    runs: runsOf('trainer'),
    names: namesOf('trainer'),
  },
} as const satisfies Record<PersonRole, unknown>;

/** Latest start first. */
export async function readPersonRides(pool: Pool, query: RidesQuery): Promise<readonly PersonRide[]> {
  const { role, keys, code, from, until } = query;
  const values = [keys, from, until, code];
  return (await pool.query<PersonRide>({ ...PEOPLE_STATEMENTS[role].rides, values })).rows;
}

/** Of cards of any day, latest start first. */
export async function readAnyRides(pool: Pool, { role, keys, code }: PersonQuery): Promise<readonly PersonRide[]> {
  return (await pool.query<PersonRide>({ ...PEOPLE_STATEMENTS[role].anyRides, values: [keys, code] })).rows;
}

/** The latest, newest first, of every origin that has them. */
export async function readPersonRuns(pool: Pool, { role, keys, code }: PersonQuery): Promise<readonly PersonRun[]> {
  return (await pool.query<PersonRun>({ ...PEOPLE_STATEMENTS[role].runs, values: [keys, code] })).rows;
}

/** The folded names under which the registry has lately printed the person of a code; none if it has no such person. */
export async function readNamesOfCode(pool: Pool, role: PersonRole, code: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ key: string }>({ ...PEOPLE_STATEMENTS[role].names, values: [code] });
  return rows.map(({ key }) => key);
}
