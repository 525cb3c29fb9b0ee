// Which runners a book must price to price the complete field (A 2.5), and books' prices aligned to runners. Shared by
// consensus and intelligence, so that both mean the same field.
import type { BookPrices } from './field-consensus';

export interface FieldRunner {
  readonly number: number;
  readonly scratched: boolean;
  readonly emergency: boolean | null;
}

/** One book's win prices on a race, aligned to `numbers`. */
export interface QuotedBook {
  readonly bookmaker: string;
  readonly numbers: readonly number[];
  readonly win: readonly (number | null)[];
}

/** The book's prices on these runners, in their order; null where it quotes none. */
export function alignedTo(runners: readonly FieldRunner[], { bookmaker, numbers, win }: QuotedBook): BookPrices {
  const prices: (number | null)[] = [];
  let next = 0;
  for (const { number } of runners) {
    // Nearly always the book lists the runners in our order, so the index after the last match is tried first.
    const at = numbers[next] === number ? next : numbers.indexOf(number);
    prices.push(at < 0 ? null : (win[at] ?? null));
    if (at >= 0) next = at + 1;
  }
  return { bookmaker, prices };
}

/**
 * Indexes of the runners that make up the field: each runner that at least one book prices. An emergency needs half of
 * the books: until it has a start, one book's price for it must not exclude every other book as partial; once most
 * books price it, a book that does not is partial. `books` are aligned to the runners, none of which is scratched:
 * every comparable book that is fresh enough and prices anything, whether the caller selected it or not.
 */
export function fieldOf(runners: readonly FieldRunner[], books: readonly BookPrices[]): readonly number[] {
  const places: number[] = [];
  runners.forEach(({ emergency }, at) => {
    let pricing = 0;
    for (const { prices } of books) if (prices[at] !== null) pricing++;
    const needed = emergency === true ? Math.max(1, books.length / 2) : 1;
    if (pricing >= needed) places.push(at);
  });
  return places;
}

/** The books' prices at these indexes only. */
export function pricesAt(
  places: readonly number[],
  runners: readonly FieldRunner[],
  books: readonly BookPrices[],
): readonly BookPrices[] {
  if (places.length === runners.length) return books;
  return books.map(({ bookmaker, prices }) => ({ bookmaker, prices: places.map((at) => prices[at]!) }));
}
