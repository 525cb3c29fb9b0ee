// Reads the stored runs of an animal, and the span that the run store covers (B 2.6, B 2.7). A rule of the domain
// decides which animal is meant.
import type { Pool } from 'pg';
import type { AnimalQuery } from '../../../domain/form/animal';
import { onceEach, type RunCategory, type StoredRun } from '../../../domain/form/stored-run';
import type { Instant } from '../../../domain/race/race';
import { runColumns } from '../../runs/run-columns';

export interface RunSpan {
  /** Start of the earliest stored run; null while there is none. */
  readonly from: Instant | null;
  readonly to: Instant | null;
  /** Our own earliest result. */
  readonly resultsFrom: Instant | null;
}

const newestFirst = (which: string): string => `
  SELECT ${runColumns()} FROM stored_runs WHERE category = $1 AND ${which} = $2 ORDER BY start_time DESC, result_id, number`;
const OF_NAME = { name: 'runs-of-name', text: newestFirst('runner_key') };
const OF_REF = { name: 'runs-of-ref', text: newestFirst('runner_ref') };

/**
 * A dog's id of one registry and of another are one dog (B 2.7) if both have published the same runner of a race, and
 * neither has published another id for it in any race that they share.
 */
const OF_DOG = {
  name: 'runs-of-dog',
  text: `
  WITH paired AS (
    SELECT DISTINCT a.runner_ref AS own, b.runner_ref AS other
      FROM stored_runs a JOIN stored_runs b
        ON b.category = 'greyhound' AND b.runner_key = a.runner_key AND b.meeting_date = a.meeting_date AND b.venue_site = a.venue_site
       AND b.race_number = a.race_number AND b.number = a.number
       AND split_part(b.runner_ref, ':', 1) <> split_part(a.runner_ref, ':', 1)
     WHERE a.category = 'greyhound' AND a.runner_key IN (SELECT runner_key FROM stored_runs WHERE runner_ref = $2 AND category = 'greyhound')
  ), proved AS (
    SELECT p.other FROM paired p
     WHERE p.own = $2 AND NOT EXISTS (SELECT FROM paired q WHERE (q.own = $2) <> (q.other = p.other))
  )
  SELECT ${runColumns()} FROM stored_runs WHERE category = $1 AND (runner_ref = $2 OR runner_ref = (SELECT other FROM proved))
   ORDER BY start_time DESC, result_id, number`,
};

/** Newest first, each race once, whatever the number of sources that have it. */
export async function readAnimalRuns(
  pool: Pool,
  category: RunCategory,
  query: AnimalQuery,
): Promise<readonly StoredRun[]> {
  const ofRef = category === 'greyhound' ? OF_DOG : OF_REF;
  const statement =
    'key' in query ? { ...OF_NAME, values: [category, query.key] } : { ...ofRef, values: [category, query.ref] };
  return onceEach((await pool.query<StoredRun>(statement)).rows);
}

const SPAN = {
  name: 'runs-span',
  text: `SELECT
      (SELECT start_time FROM stored_runs WHERE category = $1 ORDER BY start_time LIMIT 1) AS "from",
      (SELECT start_time FROM stored_runs WHERE category = $1 ORDER BY start_time DESC LIMIT 1) AS "to",
      (SELECT start_time FROM stored_runs WHERE category = $1 AND origin = 'results' ORDER BY start_time LIMIT 1) AS "resultsFrom"`,
};

export async function readRunSpan(pool: Pool, category: RunCategory): Promise<RunSpan> {
  return (await pool.query<RunSpan>({ ...SPAN, values: [category] })).rows[0]!;
}
