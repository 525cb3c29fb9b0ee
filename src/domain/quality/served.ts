// What is served of a race, in the markets that an audit compares. Structural: any reading of the board fits.
import { bookmaker } from '../bookmakers';
import { tierAt } from '../time/cadence';
import { ageSeconds, isStale } from '../time/staleness';
import type { MarketPrices, NamedRunner } from './comparison';
import type { ServedBook } from './findings';
import { AUDITED_MARKETS, type AuditedMarket } from './markets';

type Column = readonly (number | null)[];

/** Every array is aligned to `numbers`. */
interface BookColumns extends Readonly<Record<Exclude<AuditedMarket, 'tote_win'>, Column>> {
  readonly bookmaker: string;
  readonly polledAtMs: number;
  readonly numbers: readonly number[];
  readonly tote: Readonly<Record<string, Readonly<Record<string, number>>>> | null;
}

interface RaceColumns {
  readonly startMs: number;
  readonly runners: readonly (NamedRunner & { readonly scratched: boolean })[];
  readonly books: readonly BookColumns[];
}

export interface ServedRace {
  /** On the card, scratched ones included. */
  readonly numbers: ReadonlySet<number>;
  /** Those that run. */
  readonly runners: readonly NamedRunner[];
  readonly books: ReadonlyMap<string, ServedBook & { readonly polledAtMs: number }>;
}

export function servedOf(race: RaceColumns, nowMs: number): ServedRace {
  const runners = race.runners.filter(({ scratched }) => !scratched).map(({ number, name }) => ({ number, name }));
  const books = race.books.map((book) => [book.bookmaker, servedBook(book, race.startMs, runners, nowMs)] as const);
  return { numbers: new Set(race.runners.map(({ number }) => number)), runners, books: new Map(books) };
}

function servedBook(book: BookColumns, startMs: number, runners: readonly NamedRunner[], nowMs: number) {
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

/** The product under which a book's own estimate of its win pool is stored (A 2.4 rule 3). */
const TOTE_PRODUCT = 'PROV';

function pricesOf(book: BookColumns, running: ReadonlySet<number>): MarketPrices {
  const { numbers, tote } = book;
  const priceAt = (market: AuditedMarket, number: number, i: number): number | null =>
    market === 'tote_win' ? (tote?.[number]?.[TOTE_PRODUCT] ?? null) : (book[market][i] ?? null);
  const ofMarket = (market: AuditedMarket) =>
    numbers.flatMap((number, i): [number, number][] => {
      const price = priceAt(market, number, i);
      return price === null || !running.has(number) ? [] : [[number, price]];
    });
  return Object.fromEntries(AUDITED_MARKETS.map((market) => [market, new Map(ofMarket(market))]));
}
