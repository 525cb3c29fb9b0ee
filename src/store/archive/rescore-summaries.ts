// Updates the stored summaries of a race whose ticks are gone to the consensus of its closing lines. Their signals are
// counted: the caller subtracts the counts before, and counts again afterwards.
import type { ClientBase } from 'pg';
import type { RescoredSummary } from '../../domain/archive/rescored-summary';
import type { StoredColumn } from './rows';

/** In the order of `rescore_summaries`. */
const COLUMNS: readonly StoredColumn<RescoredSummary>[] = [
  ['runner', 'smallint', ({ runner }) => runner],
  ['consensus_close', 'float8', ({ close }) => close],
  ['close_source', 'text', ({ closeSource }) => closeSource],
  ['books_close', 'smallint', ({ booksClose }) => booksClose],
  ['move_from_t60_pct', 'float8', ({ movePct }) => movePct.t60],
  ['move_from_t15_pct', 'float8', ({ movePct }) => movePct.t15],
  ['move_t5_close_pct', 'float8', ({ movePct }) => movePct.t5],
  ['signal', 'text', ({ signal }) => signal],
  ['best_vs_consensus_pct', 'float8', ({ bestVsConsensusPct }) => bestVsConsensusPct],
];

const RESCORE = `SELECT rescore_summaries($1, ${COLUMNS.map(([, type], i) => `$${i + 2}::${type}[]`).join(', ')})`;

/** Runners without one of these have no summary: they are not in the field. */
export const rescoreSummaries = (
  client: ClientBase,
  raceId: string,
  summaries: readonly RescoredSummary[],
): Promise<unknown> => client.query(RESCORE, [raceId, ...COLUMNS.map(([, , of]) => summaries.map(of))]);
