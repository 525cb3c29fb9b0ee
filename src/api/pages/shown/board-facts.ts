// The facts of a row that decide its state, and nothing else of it.
import type { BoardFacts } from '../../../domain/race/board-state';

export const boardFactsOf = (row: BoardFacts): BoardFacts => ({
  start_time: row.start_time,
  status: row.status,
  market_status: row.market_status,
  market_closed_at: row.market_closed_at,
  market_state_source: row.market_state_source,
  jumped_at: row.jumped_at,
  left_board_at: row.left_board_at,
});
