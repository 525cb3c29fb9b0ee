// The cards of some days that list a runner, by its folded name: of the races of these days, so that a name that is no
// animal's costs no more. Details of international runners are not read (A 1).
import type { Pool } from 'pg';
import type { BoardFacts } from '../../../domain/race/board-state';
import type { Category, Instant } from '../../../domain/race/race';
import { domestic } from '../races/international';
import type { RaceName } from '../races/race-window';

export interface StartsQuery {
  readonly category: Category;
  readonly key: string;
  /** Of advertised starts; the end is exclusive. */
  readonly from: Instant;
  readonly until: Instant;
}

export interface StartRow extends RaceName, BoardFacts {
  readonly number: number;
  readonly runner: string;
  readonly scratched: boolean;
  readonly barrier: number | null;
  readonly jockey: string | null;
  readonly trainer: string | null;
}

const MOST = 20;

const STARTS = {
  name: 'runner-starts',
  text: `WITH w AS MATERIALIZED (
      SELECT * FROM races WHERE category = $1 AND start_time >= $3 AND start_time < $4)
    SELECT r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time, r.status,
      r.market_status, r.market_closed_at, r.market_state_source, r.jumped_at, r.left_board_at,
      o.number, o.name AS runner, o.scratched,
      ${['barrier', 'jockey', 'trainer'].map((name) => `${domestic(`o.${name}`)} AS ${name}`).join(', ')}
    FROM w r JOIN race_runners o ON o.race_id = r.race_id AND o.runner_key = $2
   ORDER BY r.start_time, r.race_id, o.number LIMIT ${MOST}`,
};

/** By start. */
export async function readStarts(pool: Pool, query: StartsQuery): Promise<readonly StartRow[]> {
  const { category, key, from, until } = query;
  return (await pool.query<StartRow>({ ...STARTS, values: [category, key, from, until] })).rows;
}
