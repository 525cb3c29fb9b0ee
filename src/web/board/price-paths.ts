// The course of prices since their capture began, an hour before the jump: each book's path, the best across books with
// placeholders left out (A 2.4 rule 2), and a path's first, highest and lowest price. Changes only, as captured. Pure.

import { type CapturedPrices, countUpTo, linesOf, type PriceLine } from '../../domain/market/intelligence/captured';
import { bestWin, mayHoldPlaceholder } from '../../domain/prices/best-price';
import type { PricedAt } from './course/course';
import type { PricePath, PriceSpan } from './model';
import type { VisibleRace } from './source';

/** One book's prices on one runner. */
export interface BookPath {
  readonly bookmaker: string;
  readonly path: PricePath;
}

/** A book's price on a runner at an instant. */
export type Marks = (bookmaker: string, number: number) => PricedAt | null;

/** The price at that instant, or the first captured one where capture began later; null where nothing was captured. */
export function marksAt(captured: readonly CapturedPrices[], atMs: number): Marks {
  return (bookmaker, number) => {
    const book = captured.find((one) => one.bookmaker === bookmaker);
    const runner = book?.runners.find((one) => one.number === number);
    if (!runner) return null;
    const i = Math.max(0, countUpTo(runner.atMs, atMs) - 1);
    return { price: runner.prices[i]!, atMs: runner.atMs[i]! };
  };
}

/** By runner number. As in the analysis, a price captured just after the window opens counts from its opening. */
export function bookPaths(
  { startMs, runners }: VisibleRace,
  captured: readonly CapturedPrices[],
  nowMs: number,
): ReadonlyMap<number, readonly BookPath[]> {
  const numbers = runners.map(({ number }) => number);
  // A price that the book has not withdrawn still counts, as in the table, however old the last poll is.
  const polledAtMs = new Map(captured.map(({ bookmaker }) => [bookmaker, nowMs]));
  const books = linesOf(captured, numbers, { startMs, nowMs, polledAtMs });
  return new Map(
    numbers.map((number, at) => [
      number,
      books.flatMap(({ bookmaker, lines }) => (lines[at] ? [{ bookmaker, path: pathOf(lines[at]) }] : [])),
    ]),
  );
}

export function pathOf({ atMs, prices, fromMs, untilMs }: PriceLine): PricePath {
  const startsMs = [fromMs, ...atMs.slice(1)];
  if (untilMs === Number.POSITIVE_INFINITY) return { atMs: startsMs, prices };
  return { atMs: [...startsMs, untilMs], prices: [...prices, null] };
}

interface Step {
  readonly atMs: number;
  readonly book: number;
  readonly price: number | null;
}

/** The best price at each instant at which a book moved, if it differs from the previous one. */
export function bestPath(books: readonly BookPath[]): PricePath {
  const steps = books.flatMap(({ path }, book) =>
    path.atMs.map((atMs, i): Step => ({ atMs, book, price: path.prices[i]! })),
  );
  steps.sort((a, b) => a.atMs - b.atMs);
  const prevailing = books.map((): number | null => null);
  const atMs: number[] = [];
  const prices: (number | null)[] = [];
  steps.forEach((step, i) => {
    prevailing[step.book] = step.price;
    if (steps[i + 1]?.atMs === step.atMs) return;
    const best = bestOf(prevailing);
    if (best === (prices.at(-1) ?? null)) return;
    atMs.push(step.atMs);
    prices.push(best);
  });
  return { atMs, prices };
}

/** Almost always the highest: the search for placeholders is costly and runs only if there may be one. */
function bestOf(prevailing: readonly (number | null)[]): number | null {
  let best: number | null = null;
  let worst = Number.POSITIVE_INFINITY;
  let quoting = 0;
  for (const price of prevailing) {
    if (price === null) continue;
    quoting++;
    if (best === null || price > best) best = price;
    if (price < worst) worst = price;
  }
  return best !== null && mayHoldPlaceholder(best, worst, quoting) ? bestWithoutPlaceholders(prevailing) : best;
}

function bestWithoutPlaceholders(prevailing: readonly (number | null)[]): number | null {
  const quotes = prevailing.flatMap((price, book) =>
    price === null ? [] : [{ bookmaker: String(book), price, ageSeconds: 0 }],
  );
  return bestWin(quotes).best?.price ?? null;
}

/**
 * Books are polled one after another: a best price that is replaced this soon after the first of them was never the
 * best of all.
 */
const SETTLED_MS = 60_000;

/** Without prices replaced that soon: the path from its first price that lasted. */
export function settled({ atMs, prices }: PricePath): PricePath {
  const settledMs = (atMs[0] ?? 0) + SETTLED_MS;
  const first = Math.max(0, countUpTo(atMs, settledMs) - 1);
  return { atMs: atMs.slice(first), prices: prices.slice(first) };
}

/** First, highest and lowest price, each with the first time it was reached; null for a path without a price. */
export function spanOf({ atMs, prices }: PricePath): PriceSpan | null {
  let first: PricedAt | null = null;
  let high: PricedAt | null = null;
  let low: PricedAt | null = null;
  prices.forEach((price, i) => {
    if (price === null) return;
    const here = { price, atMs: atMs[i]! };
    first ??= here;
    if (high === null || price > high.price) high = here;
    if (low === null || price < low.price) low = here;
  });
  return first && { first, high: high!, low: low! };
}
