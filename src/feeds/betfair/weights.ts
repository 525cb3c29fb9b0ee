// Betfair counts each request in points, per market: above 200 it answers TOO_MUCH_DATA and nothing else. Pure arithmetic.
import type { MarketProjection, PriceData } from './payload';

const MOST_POINTS = 200;
const PROJECTION: Readonly<Partial<Record<MarketProjection, number>>> = { MARKET_DESCRIPTION: 1, RUNNER_METADATA: 1 };
const PRICES: Readonly<Record<PriceData, number>> = { EX_BEST_OFFERS: 5, SP_TRADED: 7 };

/** How many markets one catalogue request may ask for; a request of no weight is bounded all the same. */
export function mostInCatalogue(projections: readonly MarketProjection[]): number {
  const points = projections.reduce((sum, projection) => sum + (PROJECTION[projection] ?? 0), 0);
  return Math.floor(MOST_POINTS / Math.max(1, points));
}

/** How many markets one book request may ask for: 40 with the best offers alone. */
export function mostInBook(prices: readonly PriceData[]): number {
  return Math.floor(MOST_POINTS / prices.reduce((sum, each) => sum + PRICES[each], 0));
}

export function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}
