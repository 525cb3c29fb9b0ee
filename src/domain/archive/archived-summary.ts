// The market summary of a race (B 2.2): the analysis of the live market (A 2.6) as it stood at the jump, with the
// archive's own close.
import { isCompared, visibleToCustomers } from '../bookmakers';
import type { RaceJump } from '../clv/closing-line';
import { runnerCloses } from '../clv/runner-closes';
import type { FieldRunner } from '../market/consensus-field';
import { analyse } from '../market/intelligence/analyse';
import type { CapturedPrices } from '../market/intelligence/captured';
import { countUpTo } from '../market/intelligence/captured';
import type { RunnerIntelligence } from '../market/intelligence/runner';
import { type Signal, signalOf } from '../market/intelligence/signal';
import type { ArchivedConsensus } from './archived-consensus';
import type { ArchivedLine } from './archived-lines';
import type { ArchivedRunner } from './archived-runners';
import { standing } from './standing';
import type { StoredSeries } from './stored-race';

export interface ArchivedSummary {
  readonly of: ArchivedRunner;
  readonly analysis: RunnerIntelligence;
  readonly close: number | null;
  readonly closeSource: 'archive' | 'ticks' | null;
  readonly booksClose: number;
  /** Percent of the consensus price then; negative: it shortened. */
  readonly movePct: { readonly t60: number | null; readonly t15: number | null; readonly t5: number | null };
  readonly ticks: number;
  readonly signal: Signal;
  readonly best: { readonly price: number; readonly bookmaker: string; readonly vsConsensusPct: number | null } | null;
}

/** As the intelligence endpoint by default (D9). */
const MIN_BOOKS = 2;

interface Archive {
  /** Those that were not scratched. */
  readonly runners: readonly FieldRunner[];
  /** Of every series, with its runner. */
  readonly series: readonly { readonly stored: StoredSeries; readonly of: ArchivedRunner }[];
  readonly lines: readonly ArchivedLine[];
  readonly close: ArchivedConsensus;
}

/** One for each runner that was not scratched and had a price captured at a compared book up to the jump, by number. */
export function archivedSummaries(archive: Archive, { startMs, jumpMs }: RaceJump): readonly ArchivedSummary[] {
  const counted = archive.series.filter(
    ({ stored, of }) => stored.current && of.card !== null && isCounted(stored.bookmaker),
  );
  const books = [...new Set(counted.map(({ stored }) => stored.bookmaker))].sort().map((bookmaker) => {
    const own = counted.flatMap(({ stored }) => (stored.bookmaker === bookmaker ? [stored] : []));
    return { bookmaker, own: own.sort((a, b) => a.number - b.number) };
  });
  const race = {
    startMs,
    runners: archive.runners,
    books: books.map(({ bookmaker, own }) => ({
      bookmaker,
      polledAtMs: Math.min(jumpMs, own[0]!.polledMs),
      numbers: own.map(({ number }) => number),
      win: own.map((one) => standing(one, jumpMs)),
    })),
  };
  const { runners } = analyse(race, books.map(capturedOf(jumpMs)), MIN_BOOKS, jumpMs);
  const byNumber = new Map(counted.map(({ of }) => [of.number, of]));
  return runners.flatMap((analysis) => {
    const of = byNumber.get(analysis.number);
    const ticks = counted.reduce((sum, one) => sum + (one.of === of ? capturedUpTo(one.stored, jumpMs) : 0), 0);
    return of && ticks > 0 ? [summaryOf(of, analysis, ticks, archive)] : [];
  });
}

const isCounted = (bookmaker: string): boolean => visibleToCustomers(bookmaker) && isCompared(bookmaker);

function summaryOf(
  of: ArchivedRunner,
  analysis: RunnerIntelligence,
  ticks: number,
  { lines, close }: Archive,
): ArchivedSummary {
  const probability = close.probabilities.get(of.number) ?? null;
  const price = probability === null ? analysis.consensus.now : 1 / probability;
  const moveFrom = (then: number | null): number | null =>
    then === null || price === null ? null : (price / then - 1) * 100;
  const { t60, t15, t5 } = analysis.consensus;
  const own = lines.filter((line) => line.of === of && isCounted(line.bookmaker));
  const { best } = runnerCloses(own);
  return {
    of,
    analysis,
    close: price,
    closeSource: probability === null ? (price === null ? null : 'ticks') : 'archive',
    booksClose: probability === null ? analysis.booksAt.now : close.books,
    movePct: { t60: moveFrom(t60), t15: moveFrom(t15), t5: moveFrom(t5) },
    ticks,
    signal: signalOf(moveFrom(t60), analysis.breadth),
    best: best && {
      price: best.closePrice,
      bookmaker: best.bookmaker,
      vsConsensusPct: price === null ? null : (best.closePrice / price - 1) * 100,
    },
  };
}

const instantsOf = ({ changes }: StoredSeries): number[] =>
  changes.flatMap(({ what, atMs }) => (typeof what === 'number' ? [atMs] : []));

const capturedUpTo = (stored: StoredSeries, atMs: number): number => countUpTo(instantsOf(stored), atMs);

const capturedOf =
  (jumpMs: number) =>
  ({ bookmaker, own }: { readonly bookmaker: string; readonly own: readonly StoredSeries[] }): CapturedPrices => ({
    bookmaker,
    runners: own.flatMap((stored) => {
      const { changes, number } = stored;
      const last = changes.findLast(({ atMs }) => atMs <= jumpMs);
      const prices = changes.flatMap(({ what }) => (typeof what === 'number' ? [what] : []));
      const withdrawnAtMs = last?.what === 'gone' ? last.atMs : null;
      return prices.length === 0 ? [] : [{ number, atMs: instantsOf(stored), prices, withdrawnAtMs }];
    }),
  });
