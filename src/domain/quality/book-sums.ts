// The sum of one book's prices in one market, and the sums that no book offers: bounds by market and by the size of the
// field.
import type { Prices } from './comparison';
import type { AuditedMarket } from './markets';

export interface BookSum {
  readonly runners: number;
  /** Σ 1 / price. */
  readonly sum: number;
  /** Every runner has a price. */
  readonly isWhole: boolean;
}

/** Null: none is priced. */
export function bookOf(prices: Prices, running: readonly number[]): BookSum | null {
  const own = running.flatMap((number) => prices.get(number) ?? []);
  if (own.length === 0) return null;
  const sum = own.reduce((total, price) => total + 1 / price, 0);
  return { runners: running.length, sum, isWhole: own.length === running.length };
}

/** Fewer and more winners that a price may be about: books still pay three places when a field falls below eight. */
const WINNERS: Readonly<Record<Exclude<AuditedMarket, 'tote_win'>, readonly [number, number]>> = {
  win: [1, 1],
  place: [2, 3],
  top2: [2, 2],
  top3: [3, 3],
  top4: [4, 4],
};

/** A book may be sold without a margin for a moment, and dearer by the longshots of a large field. */
const LEAST = 0.9;
const MOST = 1.3;
const MOST_MORE_A_RUNNER = 0.03;

/** A part of a field may already add up to too much, and never to too little. */
export function isOutside(market: Exclude<AuditedMarket, 'tote_win'>, { runners, sum, isWhole }: BookSum): boolean {
  const [fewest, most] = WINNERS[market];
  // As many winners as runners, or nearly: every price is close to 1.
  if (runners <= most + 1) return false;
  return sum > most * (MOST + MOST_MORE_A_RUNNER * runners) || (isWhole && sum < fewest * LEAST);
}
