// Races that left the board, and the archived rows of each.
import type { Pool } from 'pg';

export const START = '2026-11-21T03:00:00.000Z';
const startMs = Date.parse(START);
export const after = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();

/** Off the board ten minutes and forty seconds after the start; the market closed this many seconds after it. */
export const leave = (pool: Pool, raceId: string, closedAfter: number | null) =>
  pool.query(
    `UPDATE races SET left_board_at = $2, jumped_at = $3, market_closed_at = $3, market_status = 'CLOSED',
            market_state_source = 'pointsbetau', phase = 'jumped' WHERE race_id = $1`,
    [raceId, after(640), closedAfter === null ? null : after(closedAfter)],
  );

const TABLES = [
  'archived_races',
  'archived_runners',
  'closing_line_rows',
  'withheld_line_rows',
  'price_path_rows',
  'withheld_path_rows',
  'archived_summaries',
  'archived_counts',
  'archived_marks',
];

/** Every row of the race, and the days' counts. */
export async function everything(pool: Pool, raceId: string): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const table of TABLES) {
    const { rows } = await pool.query(`SELECT t.*, t.xmin FROM ${table} t WHERE race_id = $1 ORDER BY t::text`, [
      raceId,
    ]);
    found[table] = rows;
  }
  return found;
}

export const lines = async (pool: Pool, raceId: string, table = 'archived_closing_lines'): Promise<string[]> => {
  const { rows } = await pool.query(
    `SELECT u.number, l.* FROM ${table} l JOIN archived_runners u USING (race_id, runner) WHERE race_id = $1 ORDER BY runner, bookmaker_key`,
    [raceId],
  );
  return rows.map(
    (row) =>
      `${row.number} ${row.bookmaker_key} ${row.open_win_price}@${row.open_secs_to_jump} ${row.close_win_price}@${row.close_secs_to_jump} ` +
      `${row.close_found_by} ${row.close_age_s} of ${row.points_observed}`,
  );
};
