// What every response shows about a match: who plays, and how old the prices of its books are.
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

const MOST_INSTANTS = 1000;
/** The rows of a push have one instant. */
const instants = new Map<number, string>();

export function updateOf({ observedAtMs }: Observed): string {
  const known = instants.get(observedAtMs);
  if (known !== undefined) return known;
  if (instants.size === MOST_INSTANTS) instants.clear();
  const text = new Date(observedAtMs).toISOString();
  instants.set(observedAtMs, text);
  return text;
}

/** For one price, or for a book. */
export const confirmedAt = (seen: Observed, nowMs: number) => ({
  last_update: updateOf(seen),
  age_seconds: ageOf(seen, nowMs),
  stale: isStaleAt(seen, nowMs),
});

/** The book with the age of its oldest price. */
export function withOldest(book: PricedBook) {
  let observedAtMs = Infinity;
  for (const one of book.markets) observedAtMs = Math.min(observedAtMs, seenOf(book, one).observedAtMs);
  return { bookmaker: book.bookmaker, observedAtMs };
}

/** For rows with this member; null: there is none. */
export const oldestOf = (rows: readonly { readonly data_age_seconds: number }[]): number | null =>
  rows.reduce<number | null>((oldest, one) => Math.max(oldest ?? 0, one.data_age_seconds), null);

/** `books`: at least one. */
export function freshnessOf(books: readonly Pick<PricedBook, 'bookmaker' | 'observedAtMs'>[], nowMs: number) {
  const ages = books.map((book) => ageOf(book, nowMs));
  return {
    data_age_seconds: Math.max(...ages),
    freshest_age_seconds: Math.min(...ages),
    stale: books.some((book) => isStaleAt(book, nowMs)),
    stale_bookmakers: books.filter((book) => isStaleAt(book, nowMs)).map(({ bookmaker }) => bookmaker),
  };
}
