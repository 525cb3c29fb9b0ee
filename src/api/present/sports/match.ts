// What every response shows of a match: who plays, and how old the prices of its books are.
import {
  ageOf,
  isStaleAt,
  type Observed,
  type PricedBook,
  type PricedMatch,
  seenOf,
} from '../../../domain/sports/match';

export const identityOf = ({
  sportKey,
  homeTeam,
  awayTeam,
  commenceTime,
}: Pick<PricedMatch, 'sportKey' | 'homeTeam' | 'awayTeam' | 'commenceTime'>) => ({
  sport_key: sportKey,
  home_team: homeTeam,
  away_team: awayTeam,
  commence_time: commenceTime,
});

export const updateOf = ({ observedAtMs }: Observed): string => new Date(observedAtMs).toISOString();

/** Of one price, or of a book. */
export const confirmedAt = (seen: Observed, nowMs: number) => ({
  last_update: updateOf(seen),
  age_seconds: ageOf(seen, nowMs),
  stale: isStaleAt(seen, nowMs),
});

/** The book with the age of its oldest price. */
export const withOldest = (book: PricedBook) => ({
  bookmaker: book.bookmaker,
  observedAtMs: Math.min(...book.markets.map((one) => seenOf(book, one).observedAtMs)),
});

/** Of rows with this member; null: there is none. */
export const oldestOf = (rows: readonly { readonly data_age_seconds: number }[]): number | null =>
  rows.reduce<number | null>((oldest, one) => Math.max(oldest ?? 0, one.data_age_seconds), null);

/** `books`: one at least. */
export function freshnessOf(books: readonly Pick<PricedBook, 'bookmaker' | 'observedAtMs'>[], nowMs: number) {
  const ages = books.map((book) => ageOf(book, nowMs));
  return {
    data_age_seconds: Math.max(...ages),
    freshest_age_seconds: Math.min(...ages),
    stale: books.some((book) => isStaleAt(book, nowMs)),
    stale_bookmakers: books.filter((book) => isStaleAt(book, nowMs)).map(({ bookmaker }) => bookmaker),
  };
}
