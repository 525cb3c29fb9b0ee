// Runners whose folded name begins with a text, each with its newest race: by the index `race_runners_by_key`, one step
// per name, so that what many races share is read once. The newest spelling of one of them.
import type { Pool } from 'pg';
import type { Category } from '../../../domain/race/race';
import type { RaceName } from '../races/race-window';

interface RunnerNamed extends RaceName {
  readonly runner_key: string;
  readonly name: string;
}

export interface FoundNames {
  /** By folded name. */
  readonly names: readonly RunnerNamed[];
  /** Whether others begin so too. */
  readonly more: boolean;
}

/** More than an animal has; of a name that is no animal's, only these are looked at. */
const RACES_OF_NAME = 300;

/** `from` and `until`: the beginning, and the first text after all that begin so. */
const step = (after: string): string => `
  SELECT u.runner_key FROM race_runners u WHERE ${after} AND u.runner_key ~<~ $2 AND u.runner_key NOT LIKE 'vacant%'
   ORDER BY u.runner_key USING ~<~ LIMIT 1`;

export const RUNNERS = {
  name: 'search-runners',
  text: `WITH RECURSIVE found AS (
      SELECT (${step('u.runner_key ~>=~ $1')}) AS runner_key
      UNION ALL
      SELECT (${step('u.runner_key ~>~ f.runner_key')}) FROM found f WHERE f.runner_key IS NOT NULL),
    named AS (SELECT runner_key FROM found WHERE runner_key IS NOT NULL LIMIT $3)
    SELECT n.runner_key, l.* FROM named n CROSS JOIN LATERAL (
      SELECT o.name, r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time
        FROM (SELECT u.race_id, u.name FROM race_runners u WHERE u.runner_key = n.runner_key LIMIT ${RACES_OF_NAME}) o
        JOIN races r USING (race_id)
       ORDER BY r.start_time DESC, r.race_id LIMIT 1) l
    ORDER BY n.runner_key USING ~<~`,
};

/** `key`: lowercase letters and digits, at least one. */
export async function readRunnersNamed(pool: Pool, key: string, most: number): Promise<FoundNames> {
  const { rows } = await pool.query<RunnerNamed>({ ...RUNNERS, values: [key, `${key}{`, most + 1] });
  return { names: rows.slice(0, most), more: rows.length > most };
}

const CARD_NAME = {
  name: 'search-card-name',
  text: `SELECT o.name
    FROM (SELECT u.race_id, u.name FROM race_runners u WHERE u.runner_key = $1
           ORDER BY u.updated_at DESC LIMIT ${RACES_OF_NAME}) o
    JOIN races r USING (race_id)
   WHERE r.category = $2 ORDER BY r.start_time DESC, r.race_id LIMIT 1`,
};

/** As its newest card spells it; null: it was on none of this code. */
export async function readCardName(pool: Pool, category: Category, key: string): Promise<string | null> {
  const { rows } = await pool.query<{ name: string }>({ ...CARD_NAME, values: [key, category] });
  return rows[0]?.name ?? null;
}
