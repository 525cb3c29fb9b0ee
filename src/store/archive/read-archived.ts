// Reads the archived data of a race whose ticks are gone, to update its facts.
import type { ClientBase } from 'pg';
import type { ArchiveOutcome } from '../../domain/archive/archive-race';
import type { KeptLine, KeptRace, KeptRunner } from '../../domain/archive/rescored';
import type { KeptSummary } from '../../domain/archive/rescored-summary';
import type { Instant } from '../../domain/race/race';

const RUNNERS = `
  SELECT runner, number, runner_key AS "runnerKey", name, name_fragment_suspect AS "nameFragmentSuspect",
         runner_ref AS "runnerRef", scratched_at AS "scratchedAt"
    FROM archived_runners WHERE race_id = $1 ORDER BY runner`;

const LINES = `
  SELECT runner, bookmaker_key AS bookmaker, open_win_price AS "openPrice", open_is_baseline AS "openIsBaseline",
         close_win_price AS "closePrice", is_closing_line AS "isClosingLine"
    FROM archived_closing_lines WHERE start_time = $1 AND race_id = $2`;

const SUMMARIES = `
  SELECT runner, consensus_t60 AS t60, consensus_t15 AS t15, consensus_t5 AS t5, consensus_close AS close, close_source AS "closeSource",
         books_close AS "booksClose", best_close_price AS "bestPrice",
         json_build_object('withHistory', books_with_history, 'firming', books_firming, 'drifting', books_drifting,
           'unchanged', books_unchanged) AS breadth
    FROM archived_summaries WHERE start_time = $1 AND race_id = $2`;

export async function readArchived(client: ClientBase, raceId: string, startTime: Instant): Promise<KeptRace> {
  const outcome = await client.query<{ outcome: ArchiveOutcome }>(
    'SELECT outcome FROM archived_races WHERE race_id = $1',
    [raceId],
  );
  const runners = await client.query<KeptRunner>(RUNNERS, [raceId]);
  const lines = await client.query<KeptLine>(LINES, [startTime, raceId]);
  const summaries = await client.query<KeptSummary>(SUMMARIES, [startTime, raceId]);
  return { outcome: outcome.rows[0]!.outcome, runners: runners.rows, lines: lines.rows, summaries: summaries.rows };
}
