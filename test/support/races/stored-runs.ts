// Runs in the run store that have no result of ours, as another origin would write them.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { StoredRun } from '../../../src/domain/form/stored-run';
import { runnerKey } from '../../../src/domain/race/runner';
import { aetDay } from '../../../src/domain/time/aet';

export type GivenRun = Partial<StoredRun> & Pick<StoredRun, 'name' | 'start_time'>;

export async function addRuns(pool: Pool, ...runs: readonly GivenRun[]): Promise<void> {
  const rows = runs.map((run) => ({
    result_id: `hist:${randomUUID()}`,
    race_id: null,
    category: 'greyhound',
    origin: 'history',
    number: 1,
    runner_key: runnerKey(run.name),
    meeting_date: aetDay(Date.parse(run.start_time)),
    status: 'ran',
    venue: 'Sandown Park',
    venue_site: 'sandown-park',
    race_number: 1,
    dead_heat: false,
    position: 1,
    ...run,
  }));
  await pool.query('INSERT INTO stored_runs SELECT * FROM jsonb_populate_recordset(NULL::stored_runs, $1)', [
    JSON.stringify(rows),
  ]);
}
