// Which books are polled for a race, and which of them supplies its start and facts.
import { bookmaker } from '../../domain/bookmakers';
import type { Instant } from '../../domain/race/race';
import type { BookOfRace } from '../../store/card/races';
import type { ActivityDeps } from '../deps';
import type { ListedBook } from './due-books';
import type { PollTarget } from './poll-book';

/** The books that list the race and that this service has a feed for. */
export async function listedBooks(deps: Pick<ActivityDeps, 'stores' | 'feeds'>, raceId: string): Promise<BookOfRace[]> {
  const books = await deps.stores.races.booksOf(raceId);
  return books.filter((book) => deps.feeds.has(book.bookmakerKey));
}

export const reportsPlacings = ({ bookmakerKey }: Pick<BookOfRace, 'bookmakerKey'>): boolean =>
  bookmaker(bookmakerKey)?.settlesRank != null;

/**
 * The listed books that report results: those that settle, and the exchange, whose starting prices and winners appear
 * after the off.
 */
export async function resultBooks(deps: Pick<ActivityDeps, 'stores' | 'feeds'>, raceId: string): Promise<BookOfRace[]> {
  const isExchange = ({ bookmakerKey }: BookOfRace): boolean => bookmaker(bookmakerKey)?.kind === 'exchange';
  return (await listedBooks(deps, raceId)).filter((book) => reportsPlacings(book) || isExchange(book));
}

/** A streamed exchange is polled only for names and for the board. A minute keeps its prices fresh (A 2.4 rule 4). */
const STREAMED_REST_MS = 60_000;

export const restMsOf = ({ exchangeStream }: Pick<ActivityDeps, 'exchangeStream'>, bookmakerKey: string): number =>
  exchangeStream && bookmaker(bookmakerKey)?.kind === 'exchange' ? STREAMED_REST_MS : 0;

export const factsRank = (bookmakerKey: string): number =>
  bookmaker(bookmakerKey)?.factsRank ?? Number.POSITIVE_INFINITY;

/** The same books as poll targets: the one ranked first among those that list the race is its start source. */
export function pollTargets(raceId: string, advertisedStart: Instant, books: readonly ListedBook[]): PollTarget[] {
  const first = firstRank(books);
  return books.map((book) => targetOf(raceId, advertisedStart, book, first));
}

/** One of them. */
export const pollTarget = (
  raceId: string,
  advertisedStart: Instant,
  book: ListedBook,
  books: Iterable<ListedBook>,
): PollTarget => targetOf(raceId, advertisedStart, book, firstRank(books));

function firstRank(books: Iterable<ListedBook>): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { bookmakerKey } of books) first = Math.min(first, factsRank(bookmakerKey));
  return first;
}

const targetOf = (
  raceId: string,
  advertisedStart: Instant,
  { bookmakerKey, sourceRaceId }: ListedBook,
  first: number,
): PollTarget => ({
  raceId,
  bookmakerKey,
  sourceRaceId,
  advertisedStart,
  startSource: Number.isFinite(first) && factsRank(bookmakerKey) === first,
});
