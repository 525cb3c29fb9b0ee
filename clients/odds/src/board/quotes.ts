// The quotes on one runner, judged as the service judges them: the best one, without placeholders (contract A 2.4).
import type { Schemas } from '../../../typescript/src/index.ts';

export type Race = Schemas['NextRace'];
export type Runner = Race['runners'][number];

export const MARKETS = ['win', 'place', 'top2', 'top3', 'top4'] as const;
export type Market = (typeof MARKETS)[number];

export interface Quote {
  readonly book: string;
  readonly price: number;
  readonly ageSeconds: number;
  readonly isStale: boolean;
  readonly isPlaceholder: boolean;
  readonly isBest: boolean;
}

export interface Moment {
  /** Of the service, epoch milliseconds. */
  readonly nowMs: number;
  /** By `refresh_tier`. */
  readonly staleAfterSeconds: Readonly<Record<string, number>>;
}

/** Without the books that do not quote this market. Highest price first, then the freshest, then by book. */
export function quotesOn({ bookmakers }: Runner, market: Market, moment: Moment): Quote[] {
  const all = bookmakers.flatMap((book) => {
    const price = book[`${market}_price`];
    if (price == null) return [];
    const ageSeconds = ageOf(book, moment);
    const isStale = book.stale || ageSeconds > (moment.staleAfterSeconds[book.refresh_tier] ?? 0);
    return [{ book: book.key, price, ageSeconds, isStale }];
  });
  const sorted = all.sort((a, b) => b.price - a.price || a.ageSeconds - b.ageSeconds || (a.book < b.book ? -1 : 1));
  const isPlaceholder = placeholderRule(sorted.map(({ price }) => price));
  const best = sorted.find(({ price }) => !isPlaceholder(price));
  return sorted.map((one) => ({ ...one, isPlaceholder: isPlaceholder(one.price), isBest: one === best }));
}

export const ageOf = ({ last_update }: { readonly last_update: string }, { nowMs }: Moment): number =>
  Math.max(0, Math.floor((nowMs - Date.parse(last_update)) / 1000));

/**
 * A placeholder is 21 or more, and at least four times the median of three or more other books. That median is the same
 * for every price that can be one: without the highest. `prices`: the highest first.
 */
function placeholderRule(prices: readonly number[]): (price: number) => boolean {
  const others = prices.slice(1);
  if (others.length < 3) return () => false;
  const middle = others.length >> 1;
  const median = others.length % 2 === 1 ? others[middle]! : (others[middle - 1]! + others[middle]!) / 2;
  return (price) => price >= 21 && price >= 4 * median;
}
