// What every response shows of a match: who plays, and how old the prices of its books are.
import { ageOf, isStaleAt, type PricedBook, type PricedMatch } from '../../../domain/sports/match';

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

export const updateOf = ({ observedAtMs }: PricedBook): string => new Date(observedAtMs).toISOString();

/** Of one price of this book. */
export const confirmedAt = (book: PricedBook, nowMs: number) => ({
  last_update: updateOf(book),
  age_seconds: ageOf(book, nowMs),
  stale: isStaleAt(book, nowMs),
});

/** Of rows with this member; null: there is none. */
export const oldestOf = (rows: readonly { readonly data_age_seconds: number }[]): number | null =>
  rows.reduce<number | null>((oldest, one) => Math.max(oldest ?? 0, one.data_age_seconds), null);

/** `books`: one at least. */
export function freshnessOf(books: readonly PricedBook[], nowMs: number) {
  const ages = books.map((book) => ageOf(book, nowMs));
  return {
    data_age_seconds: Math.max(...ages),
    freshest_age_seconds: Math.min(...ages),
    stale: books.some((book) => isStaleAt(book, nowMs)),
    stale_bookmakers: books.filter((book) => isStaleAt(book, nowMs)).map(({ bookmaker }) => bookmaker),
  };
}
