// Reads the stored runs of an animal, and the span that the run store covers (B 2.6, B 2.7). Which animal is meant is a rule of the domain.
import type { Pool } from 'pg';
import type { AnimalQuery } from '../../../domain/form/animal';
import type { RunCategory, StoredRun } from '../../../domain/form/stored-run';
import type { Instant } from '../../../domain/race/race';

export interface RunSpan {
  /** Start of the earliest stored run; null while there is none. */
  readonly from: Instant | null;
  readonly to: Instant | null;
  /** The earliest of our own results. */
  readonly resultsFrom: Instant | null;
}

const newestFirst = (which: string): string => `
  SELECT * FROM stored_runs WHERE category = $1 AND ${which} = $2 ORDER BY start_time DESC, result_id, number`;
const OF_NAME = { name: 'runs-of-name', text: newestFirst('runner_key') };
const OF_REF = { name: 'runs-of-ref', text: newestFirst('runner_ref') };

/** Newest first. */
export async function readAnimalRuns(
  pool: Pool,
  category: RunCategory,
  query: AnimalQuery,
): Promise<readonly StoredRun[]> {
  const statement =
    'key' in query ? { ...OF_NAME, values: [category, query.key] } : { ...OF_REF, values: [category, query.ref] };
  return (await pool.query<StoredRun>(statement)).rows;
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
