// The figures of one runner (A 2.5): its prices across the books, and its best price against the consensus.
import { priceSpreadPct } from '../prices/best-price';
import { median } from './median';

export interface ConsensusQuote {
  readonly bookmaker: string;
  readonly price: number;
  /** Without the book's margin; null where the book is not in the consensus or the runner not in the field. */
  readonly probability: number | null;
  readonly ageSeconds: number;
  /** Epoch milliseconds. */
  readonly polledAtMs: number;
}

/**
 * Prices and ages are those of `quotes`: of counted books, included or not, without placeholders. Null if there is no
 * quote.
 */
export interface ConsensusRunner {
  readonly number: number;
  /** Included books; 0 outside the field. */
  readonly books: number;
  /** The probabilities of all runners that have one sum to 1. */
  readonly probability: number | null;
  readonly medianPrice: number | null;
  readonly meanPrice: number | null;
  readonly best: ConsensusQuote | null;
  readonly worstPrice: number | null;
  readonly spreadPct: number | null;
  /** Best price / consensus price - 1, in percent; above 0 the best price beats the consensus. */
  readonly bestVsConsensusPct: number | null;
  readonly freshestAgeSeconds: number | null;
  readonly oldestAgeSeconds: number | null;
  readonly quotes: readonly ConsensusQuote[];
}

/** `books`: how many are included; `probability`: the consensus. */
export function consensusRunner(
  number: number,
  books: number,
  quotes: readonly ConsensusQuote[],
  probability: number | null,
): ConsensusRunner {
  let best: ConsensusQuote | null = null;
  let worst: ConsensusQuote | null = null;
  let freshest: ConsensusQuote | null = null;
  let oldest: ConsensusQuote | null = null;
  let sum = 0;
  for (const quote of quotes) {
    if (best === null || beats(quote, best)) best = quote;
    if (worst === null || quote.price < worst.price) worst = quote;
    if (freshest === null || quote.ageSeconds < freshest.ageSeconds) freshest = quote;
    if (oldest === null || quote.ageSeconds > oldest.ageSeconds) oldest = quote;
    sum += quote.price;
  }
  return {
    number,
    books,
    probability,
    medianPrice: median(quotes.map(({ price }) => price)),
    meanPrice: quotes.length === 0 ? null : sum / quotes.length,
    best,
    worstPrice: worst?.price ?? null,
    spreadPct: priceSpreadPct(best?.price ?? null, worst?.price ?? null),
    bestVsConsensusPct: best === null || probability === null ? null : (best.price * probability - 1) * 100,
    freshestAgeSeconds: freshest?.ageSeconds ?? null,
    oldestAgeSeconds: oldest?.ageSeconds ?? null,
    quotes,
  };
}

/** As in best lines: the higher price, then the fresher quote, then the bookmaker key. */
function beats(a: ConsensusQuote, b: ConsensusQuote): boolean {
  if (a.price !== b.price) return a.price > b.price;
  if (a.polledAtMs !== b.polledAtMs) return a.polledAtMs > b.polledAtMs;
  return a.bookmaker < b.bookmaker;
}
