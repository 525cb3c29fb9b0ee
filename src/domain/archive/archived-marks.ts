// What each book's prices were worth at fixed marks before the jump (D24): how many it had on offer, how many were
// stale, placeholders or the best, and how they compared with the close and with the fair price of that instant. Whole
// numbers, because days are sums that a race is taken out of again. Books that customers may not see, and books that
// are not compared, never count (D42).
import { bookmaker, isCompared, visibleToCustomers } from '../bookmakers';
import type { RaceJump } from '../clv/closing-line';
import { clvPct } from '../clv/measure';
import { runnerCloses } from '../clv/runner-closes';
import { type FieldRunner, fieldOf, pricesAt } from '../market/consensus-field';
import { type BookPrices, fieldConsensus, placeholdersOf, withoutQuotes } from '../market/field-consensus';
import { tierAt } from '../time/cadence';
import { ageSeconds, isStale } from '../time/staleness';
import type { ArchivedLine } from './archived-lines';
import type { ArchivedRunner } from './archived-runners';
import { standing } from './standing';
import type { PollGap, StoredSeries } from './stored-race';

/** Minutes before the jump, in order of time. */
export const MARK_MINUTES = [30, 10, 5, 1] as const;
export type MarkMinutes = (typeof MARK_MINUTES)[number];

/** Quotes on runners of the field. */
export interface MarkFigures {
  /** On offer. */
  readonly quoted: number;
  /** Of those, quotes of known age. */
  readonly checked: number;
  /** Of `checked`. */
  readonly stale: number;
  /** Not stale, but no real quote (A 2.4 rule 2). */
  readonly placeholders: number;
  /** Neither, on a runner that another book had such a price on too. */
  readonly compared: number;
  /** Of `compared`, the highest, shared ones included. */
  readonly best: number;
  /** Of `best`, those that no other book shared. */
  readonly bestAlone: number;
  /** Neither, on a runner with a close. */
  readonly closes: number;
  /** Of `closes`: the sum of the differences to the best close, in hundredths of a percent. */
  readonly closeSum: number;
  /** Neither, on a runner with a fair price at that instant. */
  readonly fairs: number;
  /** Of `fairs`: the sum of the differences to the fair price, in hundredths of a percent. */
  readonly fairSum: number;
}

/** Of one book at one mark; a book without a price on offer has none. */
export interface ArchivedMark extends MarkFigures {
  readonly bookmaker: string;
  readonly minutes: MarkMinutes;
}

interface Archive {
  /** Those that were not scratched. */
  readonly runners: readonly FieldRunner[];
  /** Of every series, with its runner. */
  readonly series: readonly { readonly stored: StoredSeries; readonly of: ArchivedRunner }[];
  readonly gaps: readonly PollGap[];
  readonly lines: readonly ArchivedLine[];
}

/** As everywhere by default (D9). */
const MIN_BOOKS = 2;

interface Book {
  readonly key: string;
  readonly polledMs: number;
  readonly gaps: readonly PollGap[];
  /** By runner number. */
  readonly series: ReadonlyMap<number, StoredSeries>;
}

/** By mark, then by book. */
export function archivedMarks(archive: Archive, { startMs, jumpMs }: RaceJump): readonly ArchivedMark[] {
  const books = booksOf(archive);
  const closes = closesOf(archive);
  return MARK_MINUTES.flatMap((minutes) => {
    const atMs = jumpMs - minutes * 60_000;
    const quotes = books.map((book) => quotesAt(book, archive.runners, atMs, startMs));
    return figuresOf(quotes, archive.runners, closes).map((figures) => ({ minutes, ...figures }));
  });
}

const isCounted = (key: string): boolean => visibleToCustomers(key) && isCompared(key);

function booksOf({ series, gaps }: Archive): readonly Book[] {
  const counted = series.filter(
    ({ stored, of }) => isCounted(stored.bookmaker) && stored.current && of.card !== null && !of.nameFragmentSuspect,
  );
  const keys = [...new Set(counted.map(({ stored }) => stored.bookmaker))].sort();
  return keys.map((key) => {
    const own = counted.filter(({ stored }) => stored.bookmaker === key);
    return {
      key,
      polledMs: own[0]!.stored.polledMs,
      gaps: gaps.filter((gap) => gap.bookmaker === key),
      series: new Map(own.map(({ stored, of }) => [of.number, stored])),
    };
  });
}

/** The best close of each runner, by its number. */
function closesOf({ lines }: Archive): ReadonlyMap<number, number> {
  const counted = lines.filter(({ bookmaker: key, of }) => isCounted(key) && of.card !== null);
  const numbers = new Set(counted.map(({ of }) => of.number));
  return new Map(
    [...numbers].flatMap((number) => {
      const { best } = runnerCloses(counted.filter(({ of }) => of.number === number));
      return best ? [[number, best.closePrice] as const] : [];
    }),
  );
}

interface Quotes extends BookPrices {
  readonly quoted: number;
  /** Null: the age of its quotes is unknown. */
  readonly stale: boolean | null;
}

function quotesAt(
  { key, series, ...polls }: Book,
  runners: readonly FieldRunner[],
  atMs: number,
  startMs: number,
): Quotes {
  const prices = runners.map(({ number }) => {
    const own = series.get(number);
    return own ? standing(own, atMs) : null;
  });
  const age = ageAt(polls, atMs);
  const tier = tierAt(Math.floor((startMs - atMs) / 1000), bookmaker(key));
  return {
    bookmaker: key,
    prices,
    quoted: prices.filter((price) => price !== null).length,
    stale: age === null ? null : isStale(age, tier),
  };
}

/**
 * Whole seconds from the book's last poll; 0 stands for every age below the shortest gap that is kept. Null: gaps were
 * not kept yet.
 */
function ageAt({ gaps, polledMs }: Pick<Book, 'gaps' | 'polledMs'>, atMs: number): number | null {
  if (!gaps.some((gap) => gap.atMs <= atMs)) return null;
  if (polledMs <= atMs) return ageSeconds(polledMs, atMs);
  const gap = gaps.find(({ seenMs, atMs: endMs }) => seenMs <= atMs && atMs < endMs);
  return gap ? ageSeconds(gap.seenMs, atMs) : 0;
}

type Figures = MarkFigures & { readonly bookmaker: string };

function figuresOf(
  quotes: readonly Quotes[],
  runners: readonly FieldRunner[],
  closes: ReadonlyMap<number, number>,
): readonly Figures[] {
  const offered = quotes.filter(({ quoted }) => quoted > 0);
  const fresh = offered.filter(({ stale }) => stale !== true);
  const dropped = placeholdersOf(fresh, runners.length);
  const real = withoutQuotes(fresh, dropped);
  const fair = fairPrices(fresh, runners);
  const best = runners.map((_, at) => bestAt(real, at));
  return offered.map(({ bookmaker: key, quoted, stale }) => {
    const prices = real.find((one) => one.bookmaker === key)?.prices ?? [];
    const priced = prices.flatMap((price, at) => (price === null ? [] : [{ price, at }]));
    const compared = priced.filter(({ at }) => best[at]!.books > 1);
    const highest = compared.filter(({ price, at }) => price === best[at]!.price);
    const against = (value: (at: number) => number | null): readonly number[] =>
      priced.flatMap(({ price, at }) => {
        const other = value(at);
        return other === null ? [] : [Math.round(clvPct(price, other) * 100)];
      });
    const close = against((at) => closes.get(runners[at]!.number) ?? null);
    const toFair = against((at) => fair[at]!);
    return {
      bookmaker: key,
      quoted,
      checked: stale === null ? 0 : quoted,
      stale: stale === true ? quoted : 0,
      placeholders: dropped.filter((one) => one.bookmaker === key).length,
      compared: compared.length,
      best: highest.length,
      bestAlone: highest.filter(({ at }) => best[at]!.sharing === 1).length,
      closes: close.length,
      closeSum: sum(close),
      fairs: toFair.length,
      fairSum: sum(toFair),
    };
  });
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** The highest price on a runner, the books that have it, and the books with any. */
function bestAt(books: readonly BookPrices[], at: number) {
  const prices = books.flatMap(({ prices }) => prices[at] ?? []);
  const price = Math.max(...prices);
  return { price, sharing: prices.filter((one) => one === price).length, books: prices.length };
}

/** Of the consensus of these books (A 2.5); null: the runner has none. */
function fairPrices(books: readonly BookPrices[], runners: readonly FieldRunner[]): readonly (number | null)[] {
  const field = fieldOf(runners, books);
  const { probabilities } = fieldConsensus(pricesAt(field, runners, books), field.length, 'power', MIN_BOOKS);
  return runners.map((_, at) => {
    const probability = probabilities[field.indexOf(at)] ?? null;
    return probability === null ? null : 1 / probability;
  });
}
