// The cards of some days that list a runner, by its folded name: through the index `race_runners_by_key`. Details of
// international runners are not read (A 1).
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

/** More than an animal has; of a name that is no animal's, only these are looked at. */
const RACES_OF_NAME = 300;
const MOST = 20;

const STARTS = {
  name: 'runner-starts',
  text: `SELECT r.race_id, r.venue, r.race_number, r.category, r.country, r.start_time, r.status,
      r.market_status, r.market_closed_at, r.market_state_source, r.jumped_at, r.left_board_at,
      o.number, o.name AS runner, o.scratched,
      ${['barrier', 'jockey', 'trainer'].map((name) => `${domestic(`o.${name}`)} AS ${name}`).join(', ')}
    FROM (SELECT * FROM race_runners u WHERE u.runner_key = $2 LIMIT ${RACES_OF_NAME}) o JOIN races r USING (race_id)
   WHERE r.category = $1 AND r.start_time >= $3 AND r.start_time < $4
   ORDER BY r.start_time, r.race_id, o.number LIMIT ${MOST}`,
};

/** By start. */
export async function readStarts(pool: Pool, query: StartsQuery): Promise<readonly StartRow[]> {
  const { category, key, from, until } = query;
  return (await pool.query<StartRow>({ ...STARTS, values: [category, key, from, until] })).rows;
}
