// The best line on one runner (A 2.4), without the placeholders that books leave up when they are not really quoting.
// Runs 25,000 times per board, so it makes one pass and one allocation if nothing is suspect. Values are unrounded; the
// edge rounds.

/** One book's visible quote on one unscratched runner. `price` is decimal and above 1.0; at most one quote per book. */
export interface BookQuote {
  readonly bookmaker: string;
  readonly price: number;
  readonly ageSeconds: number;
}

/** A quote excluded as a placeholder; `consensus` is the median of the other books' quotes (A 2.4 rule 2). */
export interface SuspectQuote {
  readonly bookmaker: string;
  readonly price: number;
  readonly consensus: number;
}

export interface BestLine<Q extends BookQuote = BookQuote> {
  readonly best: Q | null;
  readonly suspects: readonly SuspectQuote[];
  /**
   * Number of books that quote. Suspects count: the contract excludes them only from best lines, market percentage and
   * spread.
   */
  readonly quoting: number;
  /** The lowest price that is not a suspect. */
  readonly worst: number | null;
}

const PLACEHOLDER_PRICE = 21;
const PLACEHOLDER_MULTIPLE = 4;
const PLACEHOLDER_OTHER_BOOKS = 3;
const NONE: readonly SuspectQuote[] = [];

/** Higher price, then the fresher quote, then the bookmaker key: the order of the input does not matter. */
function beats(a: BookQuote, b: BookQuote): boolean {
  if (a.price !== b.price) return a.price > b.price;
  if (a.ageSeconds !== b.ageSeconds) return a.ageSeconds < b.ageSeconds;
  return a.bookmaker < b.bookmaker;
}

/**
 * Best and worst quote on one runner. It serves win, place and top-N quotes: the placeholder rule is the same for each
 * (`suspect_win`, `suspect_place`). A single quote is never a suspect, and some quote always remains.
 */
export function bestWin<Q extends BookQuote>(quotes: readonly Q[]): BestLine<Q> {
  const line = plainLine(quotes);
  if (line.best === null || !mayHoldPlaceholder(line.best.price, line.worst!, line.quoting)) return line;
  const suspects = placeholders(quotes);
  if (suspects.length === 0) return line;
  const kept = quotes.filter((quote) => !suspects.some((suspect) => suspect.bookmaker === quote.bookmaker));
  return { ...plainLine(kept), suspects, quoting: quotes.length };
}

function plainLine<Q extends BookQuote>(quotes: readonly Q[]): BestLine<Q> {
  let best: Q | null = null;
  let worst: number | null = null;
  for (const quote of quotes) {
    if (best === null || beats(quote, best)) best = quote;
    if (worst === null || quote.price < worst) worst = quote.price;
  }
  return { best, suspects: NONE, quoting: quotes.length, worst };
}

/**
 * Whether one of `quoting` quotes can be a placeholder, judged by the extremes: no median is below the worst price, so
 * this clears most runners.
 */
export const mayHoldPlaceholder = (best: number, worst: number, quoting: number): boolean =>
  quoting > PLACEHOLDER_OTHER_BOOKS && best >= PLACEHOLDER_PRICE && best >= PLACEHOLDER_MULTIPLE * worst;

function placeholders(quotes: readonly BookQuote[]): readonly SuspectQuote[] {
  const consensus = medianWithoutHighest(quotes);
  return quotes
    .filter(({ price }) => price >= PLACEHOLDER_PRICE && price >= PLACEHOLDER_MULTIPLE * consensus)
    .map(({ bookmaker, price }) => ({ bookmaker, price, consensus }));
}

/**
 * The median of the other quotes, for any quote that can be a suspect: a quote at four times that median lies above the
 * middle, so leaving it out leaves the same middle quotes as leaving out the highest. An even count gives the mean of
 * the two (D23).
 */
function medianWithoutHighest(quotes: readonly BookQuote[]): number {
  const sorted = quotes.map((q) => q.price).sort((a, b) => a - b);
  const others = sorted.length - 1;
  const middle = others >> 1;
  return others % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Sum of implied probabilities at these best prices, in percent (A 2.4). Runners without a price are left out; null
 * when none has one.
 */
export function marketPercentage(bestPrices: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const price of bestPrices) if (price !== null) sum += 100 / price;
  return sum === 0 ? null : sum;
}

/**
 * How much better the best price is than the worst quoted, in percent of the worst (A 2.4). 0 with one book; null
 * without a price.
 */
export function priceSpreadPct(best: number | null, worst: number | null): number | null {
  return best === null || worst === null ? null : (best / worst - 1) * 100;
}
