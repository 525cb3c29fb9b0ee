// The consensus of the archive (B 2.1): of the books' closing lines, and of their prices when the capture window
// opened. The arithmetic is that of every consensus (A 2.5) with other prices.
import { isCompared, visibleToCustomers } from '../bookmakers';
import { alignedTo, type FieldRunner, fieldOf, pricesAt } from '../market/consensus-field';
import { fieldConsensus } from '../market/field-consensus';
import type { ArchivedLine } from './archived-lines';

/** The parts of a line that the consensus needs. */
export type ConsensusLine = Pick<
  ArchivedLine,
  'bookmaker' | 'of' | 'openPrice' | 'openIsBaseline' | 'closePrice' | 'isClosingLine'
>;

export interface ArchivedConsensus {
  /** By runner number; a runner outside the field has none. */
  readonly probabilities: ReadonlyMap<number, number>;
  readonly books: number;
}

/** A close based on one book is shown with that count; an open needs two. */
const LEAST_CLOSE = 1;
const LEAST_OPEN = 2;

/** `runners`: those that were not scratched. */
export const closeConsensus = (lines: readonly ConsensusLine[], runners: readonly FieldRunner[]): ArchivedConsensus =>
  consensusOf(
    lines.filter(({ isClosingLine }) => isClosingLine),
    ({ closePrice }) => closePrice,
    runners,
    LEAST_CLOSE,
  );

export const openConsensus = (lines: readonly ConsensusLine[], runners: readonly FieldRunner[]): ArchivedConsensus =>
  consensusOf(
    lines.filter(({ openIsBaseline }) => openIsBaseline),
    ({ openPrice }) => openPrice,
    runners,
    LEAST_OPEN,
  );

function consensusOf(
  lines: readonly ConsensusLine[],
  priceOf: (line: ConsensusLine) => number,
  runners: readonly FieldRunner[],
  least: number,
): ArchivedConsensus {
  const counted = lines.filter(({ bookmaker, of }) => isCounted(bookmaker) && !of.nameFragmentSuspect);
  const keys = [...new Set(counted.map(({ bookmaker }) => bookmaker))].sort();
  const books = keys.map((bookmaker) => {
    const own = counted.filter((line) => line.bookmaker === bookmaker);
    return alignedTo(runners, { bookmaker, numbers: own.map(({ of }) => of.number), win: own.map(priceOf) });
  });
  const quoting = books.filter(({ prices }) => prices.some((price) => price !== null));
  const field = fieldOf(runners, quoting);
  const { probabilities, included } = fieldConsensus(pricesAt(field, runners, quoting), field.length, 'power', least);
  const found = field.map((at, i) => [runners[at]!.number, probabilities[i]!] as const);
  return { probabilities: new Map(found.filter(([, one]) => one !== null)), books: included };
}

/** Withheld books and books that are not compared never count (D42). */
const isCounted = (bookmaker: string): boolean => visibleToCustomers(bookmaker) && isCompared(bookmaker);
