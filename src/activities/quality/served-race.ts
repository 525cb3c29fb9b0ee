// What the API serves of a race now: the reading of its operations for one race, with the bookmakers that customers may see (D14).
import { bookmaker, CUSTOMER_BOOKMAKER_KEYS, isCompared } from '../../domain/bookmakers';
import type { NamedRunner, Prices } from '../../domain/quality/comparison';
import type { ServedBook } from '../../domain/quality/findings';
import { isShown } from '../../domain/race/board-state';
import { tierAt } from '../../domain/time/cadence';
import { ageSeconds, isStale } from '../../domain/time/staleness';
import type { BoardBook } from '../../store/reads/races/board';
import type { ActivityDeps } from '../deps';

/** Never the exchange. */
export const SERVED_BOOKS: readonly string[] = CUSTOMER_BOOKMAKER_KEYS.filter(isCompared);

export interface ServedRace {
  /** On the card, scratched ones included. */
  readonly numbers: ReadonlySet<number>;
  /** Those that run. */
  readonly runners: readonly NamedRunner[];
  readonly books: ReadonlyMap<string, ServedBook & { readonly polledAtMs: number }>;
}

/** Null: it has jumped, was abandoned or left the board. */
export async function servedRace(
  { boardReads, now }: Pick<ActivityDeps, 'boardReads' | 'now'>,
  raceId: string,
): Promise<ServedRace | null> {
  const [race] = await boardReads.findRaces({ raceId }, SERVED_BOOKS);
  if (!race || !isShown('checks', race, now())) return null;
  const runners = race.runners.filter(({ scratched }) => !scratched).map(({ number, name }) => ({ number, name }));
  const books = race.books.map((book) => [book.bookmaker, servedBook(book, race.startMs, runners, now())] as const);
  return { numbers: new Set(race.runners.map(({ number }) => number)), runners, books: new Map(books) };
}

function servedBook(book: BoardBook, startMs: number, runners: readonly NamedRunner[], nowMs: number) {
  const age = ageSeconds(book.polledAtMs, nowMs);
  const tier = tierAt((startMs - nowMs) / 1000, bookmaker(book.bookmaker));
  return {
    bookmakerKey: book.bookmaker,
    polledAtMs: book.polledAtMs,
    prices: pricesOf(book, new Set(runners.map(({ number }) => number))),
    ageSeconds: age,
    stale: isStale(age, tier),
  };
}

const pricesOf = ({ numbers, win }: BoardBook, running: ReadonlySet<number>): Prices =>
  new Map(
    numbers.flatMap((number, i): [number, number][] => {
      const price = win[i] ?? null;
      return price === null || !running.has(number) ? [] : [[number, price]];
    }),
  );
