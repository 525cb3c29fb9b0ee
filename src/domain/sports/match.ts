// A match as its books price it, and which of their prices a request is about.
import { ageSeconds, isStale, staleAfterSeconds } from '../time/staleness';
import type { Market, MarketPrices } from './sports';

export interface PricedMarket extends MarketPrices {
  readonly market: Market;
  /** The source's own time of these prices, at most that of the observation. Absent or null: it gives none. */
  readonly sourceUpdatedAtMs?: number | null;
}

export interface PricedBook {
  readonly bookmaker: string;
  /** As the book spells them, turned to the match's own sides. */
  readonly homeName: string;
  readonly awayName: string;
  /** Of the last push that listed them. */
  readonly observedAtMs: number;
  /** In the order of `MARKETS`; each with a price at least. */
  readonly markets: readonly PricedMarket[];
}

export interface PricedMatch {
  readonly eventId: string;
  readonly canonicalId: string;
  readonly sportKey: string;
  readonly homeTeam: string;
  readonly awayTeam: string;
  readonly competition: string | null;
  readonly commenceTime: string;
  /** By key. */
  readonly books: readonly PricedBook[];
}

/** Books report every quarter of an hour: a price that missed two reports is stale. */
export const STALE_AFTER_SECONDS = staleAfterSeconds('card');

type Observed = Pick<PricedBook, 'observedAtMs'>;

export const ageOf = ({ observedAtMs }: Observed, nowMs: number): number => ageSeconds(observedAtMs, nowMs);

export const isStaleAt = (book: Observed, nowMs: number): boolean => isStale(ageOf(book, nowMs), 'card');

interface Wanted {
  readonly bookmakers: readonly string[];
  readonly markets: readonly Market[];
  readonly maxAgeSeconds: number;
  readonly nowMs: number;
}

/** Only these books and markets, no older than this; null if nothing is left. */
export function onlyWanted(
  match: PricedMatch,
  { bookmakers, markets, maxAgeSeconds, nowMs }: Wanted,
): PricedMatch | null {
  const books = match.books.flatMap((book) => {
    if (!bookmakers.includes(book.bookmaker) || ageOf(book, nowMs) > maxAgeSeconds) return [];
    const kept = book.markets.filter(({ market }) => markets.includes(market));
    return kept.length > 0 ? [{ ...book, markets: kept }] : [];
  });
  return books.length > 0 ? { ...match, books } : null;
}
