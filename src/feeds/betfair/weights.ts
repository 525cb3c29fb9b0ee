// Betfair weighs each request in points per market and refuses one above 200 points with TOO_MUCH_DATA. Pure
// arithmetic.
import type { MarketProjection, PriceData } from './payload';

const MOST_POINTS = 200;
const PROJECTION: Readonly<Partial<Record<MarketProjection, number>>> = { MARKET_DESCRIPTION: 1, RUNNER_METADATA: 1 };
const PRICES: Readonly<Record<PriceData, number>> = { EX_BEST_OFFERS: 5, SP_TRADED: 7 };

/** The most markets per catalogue request; even a request without points is bounded. */
export function mostInCatalogue(projections: readonly MarketProjection[]): number {
  const points = projections.reduce((sum, projection) => sum + (PROJECTION[projection] ?? 0), 0);
  return Math.floor(MOST_POINTS / Math.max(1, points));
}

/** The most markets per book request: 40 with only the best offers. */
export function mostInBook(prices: readonly PriceData[]): number {
  return Math.floor(MOST_POINTS / prices.reduce((sum, each) => sum + PRICES[each], 0));
}

export function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}
