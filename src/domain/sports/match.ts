// A match as its books price it, and the prices that a request selects.
import { ageSeconds, isStale, staleAfterSeconds } from '../time/staleness';
import type { MarketPrices, OfferedMarket } from './sports';

export interface PricedMarket extends MarketPrices {
  readonly market: OfferedMarket;
  /** The previous prices. Absent or null: none, or not recorded, as for alternates. */
  readonly before?: EndedPrices | null;
  /** The source's own time of these prices, at most that of the observation. Absent or null: it gives none. */
  readonly sourceUpdatedAtMs?: number | null;
}

interface EndedPrices extends MarketPrices {
  readonly endedAtMs: number;
}

/**
 * How often a book changes its mind: the share of its prices in the last week that moved or vanished within ten
 * minutes.
 */
export interface Moves {
  readonly offered: number;
  readonly moved: number;
}

export interface PricedBook {
  readonly bookmaker: string;
  /** The book's spelling, turned to the match's own sides. */
  readonly homeName: string;
  readonly awayName: string;
  /** Of the last push that listed them. */
  readonly observedAtMs: number;
  /** Of the book in this sport. Absent: it has changed nothing yet. */
  readonly moves?: Moves | null;
  /** In the order of `OFFERED_MARKETS`, alternates by point; each with a price at least. */
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

export type Observed = Pick<PricedBook, 'observedAtMs'>;

export const ageOf = ({ observedAtMs }: Observed, nowMs: number): number => ageSeconds(observedAtMs, nowMs);

export const isStaleAt = (book: Observed, nowMs: number): boolean => isStale(ageOf(book, nowMs), 'card');

/**
 * When the prices of a market were last true: the source's own time if it gives one, so that a push that repeats it
 * makes them no younger.
 */
export const seenOf = ({ observedAtMs }: Observed, { sourceUpdatedAtMs }: PricedMarket): Observed => ({
  observedAtMs: sourceUpdatedAtMs ?? observedAtMs,
});

interface Wanted {
  readonly bookmakers: readonly string[];
  readonly markets: readonly OfferedMarket[];
  readonly maxAgeSeconds: number;
  readonly nowMs: number;
}

/** Only these books and markets, nothing older than this; null if nothing is left. */
export function onlyWanted(
  match: PricedMatch,
  { bookmakers, markets, maxAgeSeconds, nowMs }: Wanted,
): PricedMatch | null {
  const books: PricedBook[] = [];
  for (const book of match.books) {
    if (!bookmakers.includes(book.bookmaker)) continue;
    const kept = book.markets.filter(
      (one) => markets.includes(one.market) && ageOf(seenOf(book, one), nowMs) <= maxAgeSeconds,
    );
    // Most requests want all of a book.
    if (kept.length > 0) books.push(kept.length === book.markets.length ? book : { ...book, markets: kept });
  }
  return books.length > 0 ? { ...match, books } : null;
}
