// What prices did since their capture began, an hour before the jump: each book's path, the best across books with placeholders left out
// (A 2.4 rule 2), and where a path opened, peaked and bottomed. Change-only, as captured. Pure.
import { bestWin } from '../../domain/best-price';
import type { PricedAt, PricePath, PriceSpan } from './board-model';

/** One book's prices on one runner. */
export interface BookPath {
  readonly bookmaker: string;
  readonly path: PricePath;
}

interface Step {
  readonly atMs: number;
  readonly bookmaker: string;
  readonly price: number | null;
}

/** Per instant at which any book moved, the best price that then stood; only where it differs from the one before. */
export function bestPath(books: readonly BookPath[]): PricePath {
  const standing = new Map<string, number | null>();
  const atMs: number[] = [];
  const prices: (number | null)[] = [];
  for (const [at, steps] of byInstant(books)) {
    for (const { bookmaker, price } of steps) standing.set(bookmaker, price);
    const best = bestOf(standing);
    if (best === (prices.at(-1) ?? null)) continue;
    atMs.push(at);
    prices.push(best);
  }
  return { atMs, prices };
}

function byInstant(books: readonly BookPath[]): Map<number, Step[]> {
  const steps = books.flatMap(({ bookmaker, path }) =>
    path.atMs.map((atMs, i): Step => ({ atMs, bookmaker, price: path.prices[i]! })),
  );
  steps.sort((a, b) => a.atMs - b.atMs);
  const instants = new Map<number, Step[]>();
  for (const step of steps) instants.set(step.atMs, [...(instants.get(step.atMs) ?? []), step]);
  return instants;
}

function bestOf(standing: ReadonlyMap<string, number | null>): number | null {
  const quotes = [...standing].flatMap(([bookmaker, price]) =>
    price === null ? [] : [{ bookmaker, price, ageSeconds: 0 }],
  );
  return bestWin(quotes).best?.price ?? null;
}

/** First, highest and lowest, each when it was first so; null of a path that never had a price. */
export function spanOf({ atMs, prices }: PricePath): PriceSpan | null {
  let opened: PricedAt | null = null;
  let high: PricedAt | null = null;
  let low: PricedAt | null = null;
  prices.forEach((price, i) => {
    if (price === null) return;
    const here = { price, atMs: atMs[i]! };
    opened ??= here;
    if (high === null || price > high.price) high = here;
    if (low === null || price < low.price) low = here;
  });
  return opened && { opened, high: high!, low: low! };
}
