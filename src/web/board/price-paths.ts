// What prices did since their capture began, an hour before the jump: each book's path, the best across books with placeholders left out
// (A 2.4 rule 2), and where a path opened, peaked and bottomed. Change-only, as captured. Pure.

import { type CapturedPrices, countUpTo, linesOf, type PriceLine } from '../../domain/market/intelligence/captured';
import { bestWin, mayHoldPlaceholder } from '../../domain/prices/best-price';
import type { PricedAt, PricePath, PriceSpan } from './model';
import type { VisibleRace } from './source';

/** One book's prices on one runner. */
export interface BookPath {
  readonly bookmaker: string;
  readonly path: PricePath;
}

/** What a book offered on a runner at an instant. */
export type Marks = (bookmaker: string, number: number) => PricedAt | null;

/** The price that stood then, or the first captured one where capture began later; null where nothing was captured. */
export function marksAt(captured: readonly CapturedPrices[], atMs: number): Marks {
  return (bookmaker, number) => {
    const book = captured.find((one) => one.bookmaker === bookmaker);
    const runner = book?.runners.find((one) => one.number === number);
    if (!runner) return null;
    const i = Math.max(0, countUpTo(runner.atMs, atMs) - 1);
    return { price: runner.prices[i]!, atMs: runner.atMs[i]! };
  };
}

/** By runner number. A book's path begins as the analysis has it: what is captured just after the window opens stood when it did. */
export function bookPaths(
  { startMs, runners }: VisibleRace,
  captured: readonly CapturedPrices[],
  nowMs: number,
): ReadonlyMap<number, readonly BookPath[]> {
  const numbers = runners.map(({ number }) => number);
  // A price that the book has not taken back stands, and the table shows it, however long ago the book answered.
  const polledAtMs = new Map(captured.map(({ bookmaker }) => [bookmaker, nowMs]));
  const books = linesOf(captured, numbers, { startMs, nowMs, polledAtMs });
  return new Map(
    numbers.map((number, at) => [
      number,
      books.flatMap(({ bookmaker, lines }) => (lines[at] ? [{ bookmaker, path: pathOf(lines[at]) }] : [])),
    ]),
  );
}

function pathOf({ atMs, prices, fromMs, untilMs }: PriceLine): PricePath {
  const stood = [fromMs, ...atMs.slice(1)];
  if (untilMs === Number.POSITIVE_INFINITY) return { atMs: stood, prices };
  return { atMs: [...stood, untilMs], prices: [...prices, null] };
}

interface Step {
  readonly atMs: number;
  readonly book: number;
  readonly price: number | null;
}

/** Per instant at which any book moved, the best price that then stood; only where it differs from the one before. */
export function bestPath(books: readonly BookPath[]): PricePath {
  const steps = books.flatMap(({ path }, book) =>
    path.atMs.map((atMs, i): Step => ({ atMs, book, price: path.prices[i]! })),
  );
  steps.sort((a, b) => a.atMs - b.atMs);
  const standing = books.map((): number | null => null);
  const atMs: number[] = [];
  const prices: (number | null)[] = [];
  steps.forEach((step, i) => {
    standing[step.book] = step.price;
    if (steps[i + 1]?.atMs === step.atMs) return;
    const best = bestOf(standing);
    if (best === (prices.at(-1) ?? null)) return;
    atMs.push(step.atMs);
    prices.push(best);
  });
  return { atMs, prices };
}

/** Nearly always the highest: placeholders are looked for only where there may be one. */
function bestOf(standing: readonly (number | null)[]): number | null {
  let best: number | null = null;
  let worst = Number.POSITIVE_INFINITY;
  let quoting = 0;
  for (const price of standing) {
    if (price === null) continue;
    quoting++;
    if (best === null || price > best) best = price;
    if (price < worst) worst = price;
  }
  return best !== null && mayHoldPlaceholder(best, worst, quoting) ? bestHonest(standing) : best;
}

function bestHonest(standing: readonly (number | null)[]): number | null {
  const quotes = standing.flatMap((price, book) =>
    price === null ? [] : [{ bookmaker: String(book), price, ageSeconds: 0 }],
  );
  return bestWin(quotes).best?.price ?? null;
}

/** Books are asked one after another: what is superseded this soon after the first of them was never the best of all. */
const SETTLED_MS = 60_000;

/** First, highest and lowest, each when it was first so; null of a path that never had a price. */
export function spanOf({ atMs, prices }: PricePath): PriceSpan | null {
  const settledMs = (atMs[0] ?? 0) + SETTLED_MS;
  let opened: PricedAt | null = null;
  let high: PricedAt | null = null;
  let low: PricedAt | null = null;
  prices.forEach((price, i) => {
    if (price === null || (atMs[i + 1] ?? Number.POSITIVE_INFINITY) <= settledMs) return;
    const here = { price, atMs: atMs[i]! };
    opened ??= here;
    if (high === null || price > high.price) high = here;
    if (low === null || price < low.price) low = here;
  });
  return opened && { opened, high: high!, low: low! };
}
