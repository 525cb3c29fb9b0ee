// How far a price may be trusted (shapes 3.1): every rule is here, and in the descriptions of the schema.
import { isBelowWhole } from './arbitrage';
import { ageOf, isStaleAt, type PricedBook, type PricedMarket, seenOf } from './match';
import type { Sport } from './sports';

/**
 * `stale`: older than the threshold. `incomplete`: a side has no price. `other_outcomes`: head to head with a draw
 * where the sport has none, or without where it has one. `under_round`: one book's own prices add up to less than 100
 * %, which no book sells.
 */
export const ISSUES = ['stale', 'incomplete', 'other_outcomes', 'under_round'] as const;
type Issue = (typeof ISSUES)[number];

export const STATUSES = ['ok', 'warn', 'stale'] as const;
type Status = (typeof STATUSES)[number];

export interface Quality {
  readonly score: number;
  readonly status: Status;
  readonly ageSeconds: number;
  readonly issues: readonly Issue[];
}

/** Off 100. */
const OF_STALE = 50;
const OF_ANOTHER = 25;

export function isUnderRound({ home, draw, away }: Pick<PricedMarket, 'home' | 'draw' | 'away'>): boolean {
  return home !== null && away !== null && isBelowWhole(draw === null ? [home, away] : [home, away, draw]);
}

function issuesOf(prices: PricedMarket, { draw }: Sport): Issue[] {
  const { market, home, away } = prices;
  const found: Issue[] = [];
  if (home === null || away === null) found.push('incomplete');
  if (market === 'h2h' && (prices.draw !== null) !== draw) found.push('other_outcomes');
  if (isUnderRound(prices)) found.push('under_round');
  return found;
}

function quality(issues: readonly Issue[], ageSeconds: number): Quality {
  const isStale = issues.includes('stale');
  const others = issues.length - Number(isStale);
  const score = Math.max(0, 100 - (isStale ? OF_STALE : 0) - OF_ANOTHER * others);
  return { score, status: isStale ? 'stale' : others > 0 ? 'warn' : 'ok', ageSeconds, issues };
}

/**
 * Of each of the book's markets, in their order, and of the book: with every issue of its markets, each once, and the
 * age of the oldest.
 */
export function bookQuality(book: PricedBook, sport: Sport, nowMs: number) {
  const markets = book.markets.map((market) => {
    const seen = seenOf(book, market);
    const issues = issuesOf(market, sport);
    if (isStaleAt(seen, nowMs)) issues.unshift('stale');
    return quality(issues, ageOf(seen, nowMs));
  });
  return {
    book: quality(
      ISSUES.filter((issue) => markets.some(({ issues }) => issues.includes(issue))),
      markets.reduce((oldest, one) => Math.max(oldest, one.ageSeconds), 0),
    ),
    markets,
  };
}

/** Of several books: the mean score; `ok` or `stale` if every book is, otherwise `warn`. */
export function overallQuality(books: readonly Quality[]): Pick<Quality, 'score' | 'status'> {
  const score = Math.round(books.reduce((sum, one) => sum + one.score, 0) / books.length);
  const all = (status: Status): boolean => books.every((one) => one.status === status);
  return { score, status: all('ok') ? 'ok' : all('stale') ? 'stale' : 'warn' };
}
