// The arithmetic of A 2.5 on one field: placeholders dropped, a margin taken off each book that prices the whole field,
// the median per runner, one rescaling. Consensus and intelligence share it, so that a price now and a price at a mark
// are comparable. Knows no time: the caller decides which prices are fresh enough.
import { bestWin, mayHoldPlaceholder } from '../prices/best-price';
import { median } from './median';
import { type Normalisation, withoutMargin } from './no-vig';

/** One book's win prices, aligned to the runners of the field (unscratched); null where it quotes none. */
export interface BookPrices {
  readonly bookmaker: string;
  readonly prices: readonly (number | null)[];
}

/** `partial_field`: it quotes fewer runners than the field has. `unsolvable`: its prices have no probabilities. */
export type FieldExclusion = 'partial_field' | 'unsolvable';

/** One book's part in the consensus; `probabilities` sum to 1, and are null where it is excluded. */
export interface BookShare {
  readonly bookmaker: string;
  readonly reason: FieldExclusion | null;
  readonly probabilities: readonly number[] | null;
}

/**
 * A placeholder quote (A 2.4 rule 2) on the runner at this index of the field; `consensus` is the median of the other
 * books.
 */
export interface DroppedQuote {
  readonly at: number;
  readonly bookmaker: string;
  readonly price: number;
  readonly consensus: number;
}

export interface FieldMedian {
  /** Per runner; they sum to 1. Null where fewer than `minBooks` books are included. */
  readonly probabilities: readonly (number | null)[];
  /** The sum of the medians before the one rescaling; null without a consensus. */
  readonly sumBefore: number | null;
  readonly included: number;
}

export interface FieldConsensus extends FieldMedian {
  /** In the order given. */
  readonly shares: readonly BookShare[];
  /** By runner, then by book. */
  readonly dropped: readonly DroppedQuote[];
}

/** The consensus of these books on a field of `size` runners. A book that quotes none of them does not belong here. */
export function fieldConsensus(
  books: readonly BookPrices[],
  size: number,
  method: Normalisation,
  minBooks: number,
): FieldConsensus {
  const dropped = placeholdersOf(books, size);
  const shares = withoutQuotes(books, dropped).map((book) => bookShare(book, method));
  return { ...medianField(shares, size, minBooks), shares, dropped };
}

/** Depends only on the book's prices, so it may be cached until they change. */
export function bookShare({ bookmaker, prices }: BookPrices, method: Normalisation): BookShare {
  if (prices.includes(null)) return { bookmaker, reason: 'partial_field', probabilities: null };
  const probabilities = withoutMargin(prices as readonly number[], method);
  return { bookmaker, reason: probabilities === null ? 'unsolvable' : null, probabilities };
}

/** The median of every runner's probabilities, scaled once to 1. Every included book counts once (A 2.5). */
export function medianField(shares: readonly BookShare[], size: number, minBooks: number): FieldMedian {
  const included: (readonly number[])[] = [];
  for (const { probabilities } of shares) if (probabilities !== null) included.push(probabilities);
  if (size === 0 || included.length === 0 || included.length < minBooks) {
    return { probabilities: new Array<null>(size).fill(null), sumBefore: null, included: included.length };
  }
  const medians: number[] = [];
  const column: number[] = [];
  let sum = 0;
  for (let at = 0; at < size; at++) {
    for (let i = 0; i < included.length; i++) column[i] = included[i]![at]!;
    const middle = median(column)!;
    medians.push(middle);
    sum += middle;
  }
  return { probabilities: medians.map((middle) => middle / sum), sumBefore: sum, included: included.length };
}

/** Every quote among these books that the rule of A 2.4 treats as a placeholder. */
export function placeholdersOf(books: readonly BookPrices[], size: number): readonly DroppedQuote[] {
  const dropped: DroppedQuote[] = [];
  for (let at = 0; at < size; at++) {
    if (!mayDrop(books, at)) continue;
    const quotes = books.flatMap(({ bookmaker, prices }) => {
      const price = prices[at] ?? null;
      return price === null ? [] : [{ bookmaker, price, ageSeconds: 0 }];
    });
    for (const suspect of bestWin(quotes).suspects) dropped.push({ at, ...suspect });
  }
  return dropped;
}

/** Rules out nearly every runner without an allocation. */
function mayDrop(books: readonly BookPrices[], at: number): boolean {
  let best = 0;
  let worst = Number.POSITIVE_INFINITY;
  let quoting = 0;
  for (const { prices } of books) {
    const price = prices[at] ?? null;
    if (price === null) continue;
    quoting++;
    if (price > best) best = price;
    if (price < worst) worst = price;
  }
  return mayHoldPlaceholder(best, worst, quoting);
}

/** The same books; a dropped quote is replaced by null. */
export function withoutQuotes(books: readonly BookPrices[], dropped: readonly DroppedQuote[]): readonly BookPrices[] {
  if (dropped.length === 0) return books;
  return books.map((book) => {
    const gone = dropped.filter(({ bookmaker }) => bookmaker === book.bookmaker);
    if (gone.length === 0) return book;
    const prices = [...book.prices];
    for (const { at } of gone) prices[at] = null;
    return { bookmaker: book.bookmaker, prices };
  });
}
