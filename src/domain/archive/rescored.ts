// What of an archived race still follows its facts when its ticks are gone: results, scratchings, references, and the consensus of the closing
// lines as they were archived.
import type { ClosingLine } from '../clv/closing-line';
import type { ArchivedRace, ArchiveOutcome } from './archive-race';
import { fieldOf } from './archive-race';
import { type ConsensusLine, closeConsensus, openConsensus } from './archived-consensus';
import type { ArchivedRunner } from './archived-runners';
import { runnerOutcome } from './runner-outcome';
import type { StoredRace } from './stored-race';

/** A runner as archived; its card is that of today. */
export type KeptRunner = Omit<ArchivedRunner, 'card'> & { readonly name: string | null };

export type KeptLine = Pick<ClosingLine, 'openPrice' | 'openIsBaseline' | 'closePrice' | 'isClosingLine'> & {
  readonly bookmaker: string;
  readonly runner: number;
};

export interface KeptRace {
  readonly outcome: ArchiveOutcome;
  readonly runners: readonly KeptRunner[];
  readonly lines: readonly KeptLine[];
}

export type Rescored = Pick<ArchivedRace, 'runners' | 'close' | 'open' | 'outcome'>;

export function rescored(race: Omit<StoredRace, 'series'>, kept: KeptRace): Rescored {
  const runners = kept.runners.map((one): ArchivedRunner => {
    const listed = race.card.find(({ number, runnerKey }) => number === one.number && runnerKey === one.runnerKey);
    return { ...one, card: listed ?? null };
  });
  const lines = kept.lines.flatMap((line): ConsensusLine[] => {
    const of = runners.find(({ runner }) => runner === line.runner);
    return of ? [{ ...line, of }] : [];
  });
  const outcomes = runners.map((one) => ({
    ...one,
    ...runnerOutcome(one.number, one.card, race.result, race.category),
  }));
  const field = fieldOf(race.card, outcomes);
  return {
    runners: outcomes,
    close: closeConsensus(lines, field),
    open: openConsensus(lines, field),
    outcome: kept.outcome,
  };
}
