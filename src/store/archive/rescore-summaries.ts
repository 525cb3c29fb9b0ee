// Brings the stored summaries of a race whose ticks are gone up to date with the consensus of its closing lines. Their signals are counted: the
// caller takes the counts away before, and counts again after.
import type { ClientBase } from 'pg';
import type { RescoredSummary } from '../../domain/archive/rescored-summary';
import type { Instant } from '../../domain/race/race';
import type { Column } from './rows';

const COLUMNS: readonly Column<RescoredSummary>[] = [
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

const changed = COLUMNS.slice(1).map(([name]) => `${name} = q.${name}`);
const UPDATE = `
  UPDATE archived_summaries s SET ${changed.join(', ')}
    FROM unnest(${COLUMNS.map(([, type], i) => `$${i + 3}::${type}[]`).join(', ')}) AS q (${COLUMNS.map(([name]) => name).join(', ')})
   WHERE s.start_time = $1 AND s.race_id = $2 AND s.runner = q.runner`;

const DROP_OTHERS =
  'DELETE FROM archived_summaries WHERE start_time = $1 AND race_id = $2 AND runner <> ALL ($3::smallint[])';

/** Runners without one of these have no summary: they are not in the field. */
export async function rescoreSummaries(
  client: ClientBase,
  { raceId, startTime }: { readonly raceId: string; readonly startTime: Instant },
  summaries: readonly RescoredSummary[],
): Promise<void> {
  await client.query(DROP_OTHERS, [startTime, raceId, summaries.map(({ runner }) => runner)]);
  await client.query(UPDATE, [startTime, raceId, ...COLUMNS.map(([, , of]) => summaries.map(of))]);
}
