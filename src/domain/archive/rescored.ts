// The parts of an archived race that still follow its facts when its ticks are gone: results, scratchings, references,
// and the consensus of the archived closing lines, with the summaries' part of it.
import type { ClosingLine } from '../clv/closing-line';
import { type ArchivedRace, type ArchiveOutcome, fieldOf } from './archive-race';
import { type ConsensusLine, closeConsensus, openConsensus } from './archived-consensus';
import type { ArchivedRunner } from './archived-runners';
import { type KeptSummary, type RescoredSummary, rescoredSummary } from './rescored-summary';
import { type RunnerOutcome, runnerOutcome } from './runner-outcome';
import type { CardRunner, StoredRace } from './stored-race';

/** A runner as archived. */
export type KeptRunner = Omit<ArchivedRunner, 'card'> &
  Pick<RunnerOutcome, 'runnerRef' | 'scratchedAt'> & {
    /** Null: it was not on the card. */
    readonly name: string | null;
  };

export type KeptLine = Pick<ClosingLine, 'openPrice' | 'openIsBaseline' | 'closePrice' | 'isClosingLine'> & {
  readonly bookmaker: string;
  readonly runner: number;
};

export interface KeptRace {
  readonly outcome: ArchiveOutcome;
  readonly runners: readonly KeptRunner[];
  readonly lines: readonly KeptLine[];
  readonly summaries: readonly KeptSummary[];
}

export interface Rescored extends Pick<ArchivedRace, 'runners' | 'close' | 'open' | 'outcome'> {
  /** Only of runners of the field. */
  readonly summaries: readonly RescoredSummary[];
}

export function rescored(race: Omit<StoredRace, 'series' | 'gaps'>, kept: KeptRace): Rescored {
  const runners = kept.runners.map((one): ArchivedRunner => ({ ...one, card: cardOf(one, race.card) }));
  const lines = kept.lines.flatMap((line): ConsensusLine[] => {
    const of = runners.find(({ runner }) => runner === line.runner);
    return of ? [{ ...line, of }] : [];
  });
  const outcomes = runners.map((one) => ({
    ...one,
    ...runnerOutcome(one.number, one.card, race.result, race.category),
  }));
  const field = fieldOf(withKept(race.card, runners), outcomes);
  const close = closeConsensus(lines, field);
  const summaries = kept.summaries.flatMap((summary) => {
    const of = runners.find(({ runner }) => runner === summary.runner);
    return of && field.some(({ number }) => number === of.number) ? [rescoredSummary(summary, of.number, close)] : [];
  });
  return { runners: outcomes, close, open: openConsensus(lines, field), outcome: kept.outcome, summaries };
}

/** As on the current card. A runner that left the card stays as archived. */
function cardOf({ number, runnerKey, name, ...kept }: KeptRunner, card: readonly CardRunner[]): CardRunner | null {
  const listed = card.find((one) => one.number === number && one.runnerKey === runnerKey);
  if (listed || name === null) return listed ?? null;
  const { runnerRef, scratchedAt } = kept;
  return { number, runnerKey, name, runnerRef, scratchedAt, emergency: null, scratched: false };
}

function withKept(card: readonly CardRunner[], runners: readonly ArchivedRunner[]): CardRunner[] {
  const left = runners.flatMap((one) =>
    one.card !== null && !card.some(({ number }) => number === one.number) ? [one.card] : [],
  );
  return [...card, ...left].sort((a, b) => a.number - b.number);
}
