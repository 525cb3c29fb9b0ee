// Fills the run store from results (B 2.6, B 2.7). A race is due while it is marked and its result or its conditions
// differ from those that its runs were filled from: a level, so that the next pass makes up for an interrupted one. No
// other code writes these tables.
import type { ClientBase, Pool } from 'pg';
import type { RunCard } from '../../domain/form/run';
import { keptRun, type RunRace, runsOfRace, type StoredRun } from '../../domain/form/stored-run';
import { readMark, settleDue } from '../archive/due-races';
import { inTransaction } from '../pg/transaction';
import { runColumns } from './run-columns';

export interface RunStore {
  /** Races whose runs are missing or of another state, earliest start first. */
  due(most: number): Promise<readonly string[]>;
  /** Brings the runs of one race up to date and returns how many it has. */
  fill(raceId: string): Promise<number>;
}

export function createRunStore(pool: Pool): RunStore {
  return {
    due: async (most) => {
      await pool.query(SETTLE_IDLE);
      return (await pool.query<{ id: string }>({ ...DUE, values: [most] })).rows.map(({ id }) => id);
    },
    fill: (raceId) => inTransaction(pool, (client) => fill(client, raceId)),
  };
}

/** Over `race_results x`, `races r` and `filled_runs f`. */
export const NEEDS_RUNS = `r.category IN ('horse', 'greyhound') AND r.country IS DISTINCT FROM 'HK' AND (x.runners IS NOT NULL OR f.race_id IS NOT NULL)
     AND (f.result_at, f.race_at) IS DISTINCT FROM (x.updated_at, r.updated_at)`;

export const DUE = {
  name: 'runs-due',
  text: `SELECT r.race_id AS id
    FROM due_races d JOIN race_results x USING (race_id) JOIN races r USING (race_id) LEFT JOIN filled_runs f USING (race_id)
   WHERE d.work = 'runs' AND ${NEEDS_RUNS} ORDER BY r.start_time, r.race_id LIMIT $1`,
};

/**
 * Marks of races without runs to fill, such as harness races: later writes mark them again. Not those that changed
 * meanwhile.
 */
const SETTLE_IDLE = {
  name: 'runs-idle',
  text: `WITH idle AS (
    SELECT d.race_id, d.changed_by
      FROM due_races d JOIN races r USING (race_id) LEFT JOIN race_results x USING (race_id) LEFT JOIN filled_runs f USING (race_id)
     WHERE d.work = 'runs' AND (x.race_id IS NULL OR NOT (${NEEDS_RUNS}))
     ORDER BY d.race_id FOR UPDATE OF d SKIP LOCKED)
  DELETE FROM due_races d USING idle i WHERE d.work = 'runs' AND d.race_id = i.race_id AND d.changed_by = i.changed_by`,
};

/** One at a time: a second one must see what the first has stored. */
const BEGIN = { name: 'runs-begin', text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 52))' };

const RACE = {
  name: 'runs-race',
  text: `
  SELECT r.race_id, r.category, r.meeting_date, r.start_time, r.venue, r.venue_site, r.race_number, r.race_name, r.distance_m,
      r.track_condition, r.race_class, r.prize_total, g.prizes, x.field_source AS collector,
      CASE WHEN x.status <> 'abandoned' THEN x.runners END AS field, x.updated_at::text AS "resultAt", r.updated_at::text AS "raceAt",
      (SELECT json_agg(json_build_object('number', u.number, 'name', u.name, 'barrier', u.barrier, 'jockey', u.jockey,
                'trainer', u.trainer, 'weightKg', u.weight_kg))
         FROM race_runners u WHERE u.race_id = r.race_id) AS card
    FROM races r JOIN race_results x USING (race_id) LEFT JOIN registry_races g ON g.race_id = r.race_id
   WHERE r.race_id = $1`,
};

type RaceRow = Omit<RunRace, 'card'> & {
  readonly card: readonly (RunCard & { readonly number: number })[] | null;
  readonly resultAt: string;
  readonly raceAt: string;
};

const STORED = { name: 'runs-stored', text: `SELECT ${runColumns()} FROM stored_runs WHERE race_id = $1` };
const CLEAR = { name: 'runs-clear', text: 'DELETE FROM stored_runs WHERE race_id = $1' };
export const INSERT_RUNS = {
  name: 'runs-write',
  text: 'INSERT INTO stored_runs SELECT * FROM jsonb_populate_recordset(NULL::stored_runs, $1)',
};
const FILLED = {
  name: 'runs-filled',
  text: `INSERT INTO filled_runs (race_id, result_at, race_at) VALUES ($1, $2, $3)
         ON CONFLICT (race_id) DO UPDATE SET result_at = EXCLUDED.result_at, race_at = EXCLUDED.race_at`,
};

async function fill(client: ClientBase, raceId: string): Promise<number> {
  await client.query({ ...BEGIN, values: [raceId] });
  const mark = await readMark(client, 'runs', raceId);
  const race = (await client.query<RaceRow>({ ...RACE, values: [raceId] })).rows[0];
  if (!race) return 0;
  const { resultAt, raceAt, card, ...facts } = race;
  const cards = new Map((card ?? []).map((one) => [one.number, one]));
  const { rows } = await client.query<StoredRun>({ ...STORED, values: [raceId] });
  const stored = new Map(rows.map((run) => [run.number, run]));
  const runs = runsOfRace({ ...facts, card: cards }).map((run) => keptRun(stored.get(run.number), run));
  await client.query({ ...CLEAR, values: [raceId] });
  await client.query({ ...INSERT_RUNS, values: [JSON.stringify(runs)] });
  await client.query({ ...FILLED, values: [raceId, resultAt, raceAt] });
  await settleDue(client, 'runs', raceId, mark);
  return runs.length;
}
