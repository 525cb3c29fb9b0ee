// A book's price with the time from which it is stale, and the names of books. Every view uses these, so that a price
// never appears without its age.
import { bookmaker } from '../../domain/bookmakers';
import type { MatchQuote } from '../../domain/sports/compare';
import { isStaleAt, type Observed, type PricedMatch, STALE_AFTER_SECONDS, seenOf } from '../../domain/sports/match';
import type { MatchHead, SeenAt, ShownPrice } from './model';

export const bookTitle = (key: string): string => bookmaker(key)?.title ?? key;

/** The first millisecond whose whole seconds of age are past the threshold. */
const STALE_AFTER_MS = (STALE_AFTER_SECONDS + 1) * 1000;

/** A time far ahead proves no age: its price is stale now, and from then on. */
export function seenAt(seen: Observed, nowMs: number): SeenAt {
  const seenMs = seen.observedAtMs;
  const stale = isStaleAt(seen, nowMs);
  const staleFromMs = seenMs + STALE_AFTER_MS;
  return { seenMs, stale, staleFromMs: stale && nowMs < staleFromMs ? null : staleFromMs };
}

export const shownPrice = ({ book, seen, price, because }: MatchQuote, nowMs: number): ShownPrice => ({
  price,
  bookmaker: bookTitle(book.bookmaker),
  suspect: because,
  ...seenAt(seen, nowMs),
});

export const headOf = ({
  eventId,
  sportKey,
  homeTeam,
  awayTeam,
  competition,
  commenceTime,
}: PricedMatch): MatchHead => ({
  eventId,
  sportKey,
  homeTeam,
  awayTeam,
  competition,
  startMs: Date.parse(commenceTime),
});

/** When a book last confirmed a price of these matches; null: there is none. */
export function newestOf(matches: readonly PricedMatch[]): number | null {
  let newest = -Infinity;
  for (const { books } of matches)
    for (const book of books)
      for (const market of book.markets) newest = Math.max(newest, seenOf(book, market).observedAtMs);
  return newest === -Infinity ? null : newest;
}
