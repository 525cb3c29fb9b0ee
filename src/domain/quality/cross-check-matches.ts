// Watches what each bookmaker's sports mapper stores, from all matches at once: books with an impossible sum, and
// exchanged sides.
import { median } from '../market/median';
import { isStaleAt, type PricedBook, type PricedMatch } from '../sports/match';
import type { CrossFinding } from './cross-check';

const LEAST_MATCHES = 5;
/** More than one in this many is a fault of the reading. */
const ONE_OF = 4;
const LEAST_OTHERS = 2;
/** No two traders are so far apart, in chances of the home side. */
const MOST_APART = 0.25;
const LEAST_SUM = 0.95;
const MOST_SUM = 1.35;

/** Head to head only, fresh prices only. */
export function crossCheckMatches(matches: readonly PricedMatch[], nowMs: number): readonly CrossFinding[] {
  const keys = [...new Set(matches.flatMap(({ books }) => books.map(({ bookmaker }) => bookmaker)))].sort();
  return keys.flatMap((key) => [...sums(matches, key, nowMs), ...sides(matches, key, nowMs)]);
}

interface Priced {
  readonly sum: number;
  /** Without the margin. */
  readonly homeShare: number;
}

function pricedBy(book: PricedBook | undefined, nowMs: number): Priced | null {
  const h2h = book && !isStaleAt(book, nowMs) ? book.markets.find(({ market }) => market === 'h2h') : undefined;
  if (!h2h?.home || !h2h.away) return null;
  const sum = 1 / h2h.home + 1 / h2h.away + (h2h.draw ? 1 / h2h.draw : 0);
  return { sum, homeShare: 1 / h2h.home / sum };
}

const of = ({ books }: PricedMatch, key: string): PricedBook | undefined =>
  books.find(({ bookmaker }) => bookmaker === key);

function sums(matches: readonly PricedMatch[], key: string, nowMs: number): readonly CrossFinding[] {
  const own = matches.flatMap((match) => pricedBy(of(match, key), nowMs) ?? []);
  const outside = own.filter(({ sum }) => sum < LEAST_SUM || sum > MOST_SUM);
  if (own.length < LEAST_MATCHES || outside.length * ONE_OF <= own.length) return [];
  const sum = Math.round(100 * median(outside.map((one) => one.sum))!);
  const message = `The head-to-head prices of ${outside.length} of ${own.length} matches add up to a book that is not sold, ${sum} % in the median.`;
  return [{ bookmakerKey: key, market: 'h2h', delta: null, message }];
}

function sides(matches: readonly PricedMatch[], key: string, nowMs: number): readonly CrossFinding[] {
  const apart = matches.flatMap((match) => {
    const own = pricedBy(of(match, key), nowMs);
    const others = match.books
      .filter(({ bookmaker }) => bookmaker !== key)
      .flatMap((book) => pricedBy(book, nowMs) ?? []);
    if (!own || others.length < LEAST_OTHERS) return [];
    return [Math.abs(own.homeShare - median(others.map(({ homeShare }) => homeShare))!)];
  });
  const far = apart.filter((one) => one > MOST_APART);
  if (apart.length < LEAST_MATCHES || far.length * ONE_OF <= apart.length) return [];
  const message = `In ${far.length} of ${apart.length} matches the home side’s chance is more than ${MOST_APART * 100} points from that of the other bookmakers.`;
  return [{ bookmakerKey: key, market: 'h2h', delta: null, message }];
}
