// How much an arb may return before it counts as a mistake, and how far its legs are from the other books.
import { median } from '../../market/median';

/** With fewer fresh books no other rule would notice a mistake. */
const MANY_BOOKS = 4;
const MOST_PCT = { few: 5, many: 10 } as const;

/**
 * In percent of the stakes. `books`: fresh and not suspect. Arbs of real books return 1 to 3; more is a misprint that
 * no other rule found.
 */
export const mostProfitPct = (books: number): number => (books >= MANY_BOOKS ? MOST_PCT.many : MOST_PCT.few);

/** Of a leg's chance from the median of the other books', 0 to 1; 0 without any. */
export function distanceFrom(chance: number, others: readonly number[]): number {
  const middle = median(others);
  return middle === null ? 0 : Math.abs(chance - middle);
}
