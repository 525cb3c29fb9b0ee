// The consensus of the books on one race now (A 2.5, A 4.4): which books count and why the others do not; the
// probability of every runner without a margin, and the market's figures. Shown by the endpoint and the live board.
// Values are unrounded; the edge rounds.

import { bookmaker } from '../bookmakers';
import { marketPercentage } from '../prices/best-price';
import type { RefreshTier } from '../race/race';
import { tierAt } from '../time/cadence';
import { ageSeconds, isStale } from '../time/staleness';
import { alignedTo, type FieldRunner, fieldOf, pricesAt, type QuotedBook } from './consensus-field';
import { type ConsensusQuote, type ConsensusRunner, consensusRunner } from './consensus-figures';
import {
  type BookPrices,
  type BookShare,
  bookShare,
  type DroppedQuote,
  type FieldExclusion,
  type FieldMedian,
  medianField,
  placeholdersOf,
  withoutQuotes,
} from './field-consensus';
import { median } from './median';
import { booksum, type Normalisation } from './no-vig';

export type { ConsensusRunner } from './consensus-figures';

export interface PolledBook extends QuotedBook {
  /** Epoch milliseconds. */
  readonly polledAtMs: number;
}

export interface ConsensusRace {
  readonly startMs: number;
  /** All of them, scratched ones included. */
  readonly runners: readonly FieldRunner[];
  /** Every book that may be compared, by key: the field is determined from all of them. */
  readonly books: readonly PolledBook[];
}

export interface ConsensusRules {
  readonly method: Normalisation;
  /** With fewer included books no runner has a consensus. */
  readonly minBooks: number;
  readonly includeStale: boolean;
  /** Only these books; absent: all. */
  readonly bookmakers?: readonly string[];
}

type ConsensusExclusion = 'stale' | FieldExclusion;

/** A book that quotes a win price on a runner that is not scratched. */
export interface ConsensusBook {
  readonly bookmaker: string;
  readonly polledAtMs: number;
  readonly ageSeconds: number;
  readonly tier: RefreshTier;
  readonly stale: boolean;
  /** Runners of the field that it prices, placeholders not counted. */
  readonly runnersPriced: number;
  /** Null unless it prices the complete field. */
  readonly overroundPct: number | null;
  /** Null: it is in the consensus. */
  readonly reason: ConsensusExclusion | null;
}

export interface ExcludedQuote {
  readonly number: number;
  readonly bookmaker: string;
  readonly price: number;
  /** The median of the other books' prices. */
  readonly consensus: number;
}

export interface RaceConsensus {
  readonly fieldSize: number;
  /** By key. */
  readonly books: readonly ConsensusBook[];
  /** Every unscratched runner, in the order given. */
  readonly runners: readonly ConsensusRunner[];
  /** Over the included books. */
  readonly medianOverroundPct: number | null;
  /** The sum for the field at its best prices. */
  readonly bestPriceMarketPct: number | null;
  readonly medianSpreadPct: number | null;
  readonly sumBefore: number | null;
  readonly excludedQuotes: readonly ExcludedQuote[];
}

/** A book that quotes, its prices aligned to the unscratched runners. */
type Quoting = BookPrices & Pick<ConsensusBook, 'polledAtMs' | 'ageSeconds' | 'tier' | 'stale'>;

/** The same book without its placeholders, and its share of the consensus. */
interface Weighed {
  readonly book: Quoting;
  readonly prices: readonly (number | null)[];
  readonly share: BookShare;
}

/**
 * Includes a book that is fresh enough, or counted although stale, and that prices the complete field without its
 * placeholders.
 */
export function raceConsensus(race: ConsensusRace, rules: ConsensusRules, nowMs: number): RaceConsensus {
  const runners = race.runners.filter((runner) => !runner.scratched);
  const quoting = quotingBooks(race, runners, nowMs);
  const isCounted = ({ stale }: Quoting): boolean => rules.includeStale || !stale;
  const counting = quoting.filter(isCounted);
  const field = fieldOf(runners, counting.length > 0 ? counting : quoting);
  const requested = quoting.filter(({ bookmaker: key }) => rules.bookmakers?.includes(key) ?? true);
  const counted = requested.filter(isCounted);
  const dropped = placeholdersOf(counted, runners.length);
  const weighed = weigh(counted, dropped, runners, field, rules.method);
  const medians = medianField(
    weighed.map(({ share }) => share),
    field.length,
    rules.minBooks,
  );
  return {
    fieldSize: field.length,
    sumBefore: medians.sumBefore,
    ...market(
      requested.map((book) => standingOf(book, weighed, field)),
      runners.map((runner, at) => runnerOf(runner, at, weighed, field, medians)),
      field,
    ),
    excludedQuotes: dropped.map(({ at, ...quote }) => ({ number: runners[at]!.number, ...quote })),
  };
}

function quotingBooks({ books, startMs }: ConsensusRace, runners: readonly FieldRunner[], nowMs: number): Quoting[] {
  const secs = Math.floor((startMs - nowMs) / 1000);
  const quoting: Quoting[] = [];
  for (const book of books) {
    const { bookmaker: key, prices } = alignedTo(runners, book);
    if (prices.every((price) => price === null)) continue;
    const age = ageSeconds(book.polledAtMs, nowMs);
    const tier = tierAt(secs, bookmaker(key));
    quoting.push({
      bookmaker: key,
      prices,
      polledAtMs: book.polledAtMs,
      ageSeconds: age,
      tier,
      stale: isStale(age, tier),
    });
  }
  return quoting;
}

function weigh(
  books: readonly Quoting[],
  dropped: readonly DroppedQuote[],
  runners: readonly FieldRunner[],
  field: readonly number[],
  method: Normalisation,
): Weighed[] {
  const kept = withoutQuotes(books, dropped);
  return pricesAt(field, runners, kept).map((inField, i) => {
    return { book: books[i]!, prices: kept[i]!.prices, share: bookShare(inField, method) };
  });
}

function standingOf(book: Quoting, weighed: readonly Weighed[], field: readonly number[]): ConsensusBook {
  const { bookmaker: key, polledAtMs, ageSeconds: age, tier, stale } = book;
  const counted = weighed.find((one) => one.book === book);
  const { prices } = counted ?? book;
  const inField = withoutNulls(field.map((at) => prices[at]!));
  return {
    bookmaker: key,
    polledAtMs,
    ageSeconds: age,
    tier,
    stale,
    runnersPriced: inField.length,
    overroundPct: inField.length > 0 && inField.length === field.length ? overroundPct(inField) : null,
    reason: counted === undefined ? 'stale' : counted.share.reason,
  };
}

function overroundPct(prices: readonly number[]): number | null {
  const pct = (booksum(prices) - 1) * 100;
  return Number.isFinite(pct) ? pct : null;
}

function runnerOf(
  { number }: FieldRunner,
  at: number,
  weighed: readonly Weighed[],
  field: readonly number[],
  { probabilities, included }: FieldMedian,
): ConsensusRunner {
  const place = field.indexOf(at);
  const quotes: ConsensusQuote[] = [];
  for (const { book, prices, share } of weighed) {
    const price = prices[at]!;
    if (price === null) continue;
    const probability = place < 0 || share.probabilities === null ? null : share.probabilities[place]!;
    const { bookmaker: key, ageSeconds: age, polledAtMs } = book;
    quotes.push({ bookmaker: key, price, probability, ageSeconds: age, polledAtMs });
  }
  return place < 0
    ? consensusRunner(number, 0, quotes, null)
    : consensusRunner(number, included, quotes, probabilities[place]!);
}

type Market = Pick<
  RaceConsensus,
  'books' | 'runners' | 'medianOverroundPct' | 'bestPriceMarketPct' | 'medianSpreadPct'
>;

function market(
  books: readonly ConsensusBook[],
  runners: readonly ConsensusRunner[],
  field: readonly number[],
): Market {
  const inField = field.map((at) => runners[at]!);
  return {
    books,
    runners,
    medianOverroundPct: median(withoutNulls(books.map((book) => (book.reason === null ? book.overroundPct : null)))),
    bestPriceMarketPct: marketPercentage(inField.map(({ best }) => best?.price ?? null)),
    medianSpreadPct: median(withoutNulls(inField.map(({ spreadPct }) => spreadPct))),
  };
}

const withoutNulls = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null);
