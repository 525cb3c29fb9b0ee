// A stored market summary when the consensus of its race's closing lines changes after the ticks are gone: its close,
// and the figures counted to it. Everything else in it was found in the ticks and is kept.
import type { Breadth } from '../market/intelligence/breadth';
import { type Signal, signalOf } from '../market/intelligence/signal';
import type { ArchivedConsensus } from './archived-consensus';

export interface KeptSummary {
  readonly runner: number;
  readonly t60: number | null;
  readonly t15: number | null;
  readonly t5: number | null;
  readonly close: number | null;
  readonly closeSource: 'archive' | 'ticks' | null;
  readonly booksClose: number;
  readonly breadth: Omit<Breadth, 'quoting'>;
  readonly bestPrice: number | null;
}

/** Percentages as in `ArchivedSummary`. */
export interface RescoredSummary extends Pick<KeptSummary, 'runner' | 'close' | 'closeSource' | 'booksClose'> {
  readonly movePct: { readonly t60: number | null; readonly t15: number | null; readonly t5: number | null };
  readonly signal: Signal;
  readonly bestVsConsensusPct: number | null;
}

const NO_CLOSE = { close: null, closeSource: null, booksClose: 0 };

export function rescoredSummary(kept: KeptSummary, number: number, consensus: ArchivedConsensus): RescoredSummary {
  const { runner, t60, t15, t5, breadth, bestPrice } = kept;
  const found = closeOf(kept, number, consensus);
  const pctOf = (price: number | null, base: number | null): number | null =>
    price === null || base === null ? null : (price / base - 1) * 100;
  const movePct = { t60: pctOf(found.close, t60), t15: pctOf(found.close, t15), t5: pctOf(found.close, t5) };
  const bestVsConsensusPct = pctOf(bestPrice, found.close);
  return { runner, ...found, movePct, signal: signalOf(movePct.t60, breadth), bestVsConsensusPct };
}

/** The price at the jump cannot be found again if the closing lines no longer give a consensus. */
function closeOf(
  { close, closeSource, booksClose }: KeptSummary,
  number: number,
  { probabilities, books }: ArchivedConsensus,
): Pick<RescoredSummary, 'close' | 'closeSource' | 'booksClose'> {
  const probability = probabilities.get(number);
  if (probability !== undefined) return { close: 1 / probability, closeSource: 'archive', booksClose: books };
  return closeSource === 'archive' ? NO_CLOSE : { close, closeSource, booksClose };
}
