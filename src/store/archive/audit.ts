// Compares past races with their archive and their runs, some at a time, from the newest back and then again (D43), and
// marks the differing ones as due: triggers notice writes of a race, but not other facts behind its rows. Two audits at
// once compare some races twice.
import type { Pool } from 'pg';
import { NEEDS_RUNS } from '../runs/runs';
import { PAST } from './past';

const COMPARE = {
  name: 'archive-audit',
  text: `
  WITH compared AS (
    SELECT r.* FROM races r
     WHERE (r.start_time, r.race_id) < (COALESCE($1, 'infinity'::timestamptz), COALESCE($2, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)) AND ${PAST}
     ORDER BY r.start_time DESC, r.race_id DESC LIMIT $3)
  SELECT r.race_id AS "raceId", r.start_time AS "startTime",
         a.facts IS DISTINCT FROM archive_facts_with_marks(r.race_id) OR (x.race_id IS NOT NULL AND ${NEEDS_RUNS}) AS differs
    FROM compared r LEFT JOIN archived_races a USING (race_id) LEFT JOIN race_results x USING (race_id) LEFT JOIN filled_runs f USING (race_id)
   ORDER BY r.start_time DESC, r.race_id DESC`,
};

interface Compared {
  readonly raceId: string;
  readonly startTime: string;
  readonly differs: boolean;
}

interface Place {
  readonly start: string | null;
  readonly race: string | null;
}

const MOVE = `UPDATE archive_audit SET before_start = $3, before_race = $4
  WHERE (before_start, before_race) IS NOT DISTINCT FROM ($1::timestamptz, $2::uuid)`;

/**
 * How many differ. Each is marked separately: two marks in one transaction could wait for a writer that waits for the
 * other.
 */
export async function audit(pool: Pool, most: number): Promise<number> {
  const { start, race } = (await pool.query<Place>(PLACE)).rows[0]!;
  const { rows } = await pool.query<Compared>({ ...COMPARE, values: [start, race, most] });
  const differing = rows.filter(({ differs }) => differs);
  for (const { raceId } of differing) await pool.query('SELECT mark_due($1::uuid[])', [[raceId]]);
  // The oldest was compared: it starts over with the newest.
  const last = rows.length === most ? rows.at(-1) : undefined;
  await pool.query(MOVE, [start, race, last?.startTime ?? null, last?.raceId ?? null]);
  return differing.length;
}

const PLACE = 'SELECT before_start AS start, before_race AS race FROM archive_audit';

/**
 * Races that no workflow followed to their end and that nothing else takes off the board (D63), a day after their
 * start. Returns how many.
 */
export async function leaveBehind(pool: Pool, at: string): Promise<number> {
  const { rowCount } = await pool.query(LEFT_BEHIND, [at]);
  return rowCount ?? 0;
}

const LEFT_BEHIND = `
  UPDATE races r SET left_board_at = $1, updated_at = GREATEST(r.updated_at, $1)
   WHERE r.left_board_at IS NULL AND r.start_time < $1::timestamptz - interval '1 day'
     AND NOT EXISTS (SELECT FROM race_control c WHERE c.race_id = r.race_id AND c.tier <> 'none')`;
