// Rows of `GET /v1/sports` and of the odds of one sport.
import type { Static } from '@sinclair/typebox';
import { bookmaker } from '../../../domain/bookmakers';
import { halfUp } from '../../../domain/half-up';
import { DRAW } from '../../../domain/sports/compare';
import { type PricedBook, type PricedMatch, STALE_AFTER_SECONDS } from '../../../domain/sports/match';
import { bookQuality, overallQuality, type Quality } from '../../../domain/sports/quality';
import { lineMarketOf, type OfferedMarket, type Sport, sportOf } from '../../../domain/sports/sports';
import type { SportEvent, Sport as SportRow } from './odds-schema';
import { confirmedAt, freshnessOf, identityOf, withOldest } from './present-match';

type Format = Static<typeof SportEvent>['odds_format'];

/** American odds are whole numbers: +150 wins 150 on 100, -200 wins 100 on 200. */
function inFormat(price: number, format: Format): number {
  if (format === 'decimal') return price;
  return price >= 2 ? halfUp((price - 1) * 100, 1) : -halfUp(100 / (price - 1), 1);
}

const cacheOf = (ageSeconds: number | null) => ({ cached: ageSeconds !== null, cache_age_seconds: ageSeconds ?? 0 });

export function presentSport(
  sport: Sport,
  matches: readonly PricedMatch[],
  nowMs: number,
  cacheAgeSeconds: number | null,
): Static<typeof SportRow> {
  const own = matches.filter(({ sportKey }) => sportKey === sport.key);
  const books = own.flatMap((match) => match.books);
  return {
    key: sport.key,
    title: sport.title,
    group: sport.group,
    active: own.length > 0,
    ...cacheOf(cacheAgeSeconds),
    data_quality: books.length > 0 ? dataQuality(books, sport, nowMs) : null,
  };
}

const dataQuality = (books: readonly PricedBook[], sport: Sport, nowMs: number) =>
  qualityOf(
    books,
    books.map((book) => bookQuality(book, sport, nowMs).book),
  );

/** `qualities`: of the books. */
const qualityOf = (books: readonly PricedBook[], qualities: readonly Quality[]) => ({
  ...overallQuality(qualities),
  source_count: books.length,
  bookmaker_count: new Set(books.map((book) => book.bookmaker)).size,
});

export function presentEvent(
  match: PricedMatch,
  format: Format,
  nowMs: number,
  cacheAgeSeconds: number | null,
): Static<typeof SportEvent> {
  const sport = sportOf(match.sportKey)!;
  const { books } = match;
  const seen = books.map(withOldest);
  const qualities = books.map((book) => bookQuality(book, sport, nowMs));
  const offered = books.map(offeredBy);
  const quoting = booksByMarket(offered);
  return {
    id: match.eventId,
    canonical_event_id: match.canonicalId,
    sport_title: sport.title,
    ...identityOf(match),
    competition: match.competition,
    bookmakers: books.map((book, at) => {
      const quality = qualities[at]!;
      const { last_update, age_seconds, stale } = confirmedAt(seen[at]!, nowMs);
      return {
        key: book.bookmaker,
        title: bookmaker(book.bookmaker)!.title,
        last_update,
        age_seconds,
        stale,
        quality: presentQuality(quality.book, books.length),
        markets: offered[at]!.map(({ key, lines }) => ({
          key,
          quality: presentQuality(worstOf(lines, quality.markets), quoting.get(key)!),
          outcomes: outcomesOf(book, lines, format),
        })),
      };
    }),
    odds_format: format,
    fetched_at: new Date(Math.max(...seen.map(({ observedAtMs }) => observedAtMs))).toISOString(),
    ...freshnessOf(seen, nowMs),
    ...cacheOf(cacheAgeSeconds),
    data_quality: qualityOf(
      books,
      qualities.map(({ book }) => book),
    ),
  };
}

interface Offered {
  readonly key: OfferedMarket;
  /** Positions among the book's prices: alternates have several. */
  readonly lines: number[];
}

function offeredBy({ markets }: PricedBook): readonly Offered[] {
  const offered: Offered[] = [];
  for (const [i, { market }] of markets.entries()) {
    if (offered.at(-1)?.key === market) offered.at(-1)!.lines.push(i);
    else offered.push({ key: market, lines: [i] });
  }
  return offered;
}

function booksByMarket(offered: readonly (readonly Offered[])[]): ReadonlyMap<OfferedMarket, number> {
  const books = new Map<OfferedMarket, number>();
  for (const own of offered) for (const { key } of own) books.set(key, (books.get(key) ?? 0) + 1);
  return books;
}

function worstOf(lines: readonly number[], qualities: readonly Quality[]): Quality {
  let worst = qualities[lines[0]!]!;
  for (const i of lines) if (qualities[i]!.score < worst.score) worst = qualities[i]!;
  return worst;
}

const presentQuality = ({ score, status, ageSeconds, issues }: Quality, sources: number) => ({
  score,
  status,
  age_seconds: ageSeconds,
  issues: [...issues],
  source_count: sources,
  stale_after_seconds: STALE_AFTER_SECONDS,
});

type Outcomes = Static<typeof SportEvent>['bookmakers'][number]['markets'][number]['outcomes'];

/** Loops, because a match has hundreds of prices; without an inner function, because each call would create it. */
function outcomesOf(book: PricedBook, lines: readonly number[], format: Format): Outcomes {
  const outcomes: Outcomes = [];
  for (const i of lines) {
    const { market, home, draw, away, homePoint, awayPoint } = book.markets[i]!;
    const isTotal = lineMarketOf(market) === 'totals';
    if (home !== null) outcomes.push(outcomeOf(isTotal ? 'Over' : book.homeName, inFormat(home, format), homePoint));
    if (away !== null) outcomes.push(outcomeOf(isTotal ? 'Under' : book.awayName, inFormat(away, format), awayPoint));
    if (draw !== null) outcomes.push({ name: DRAW, price: inFormat(draw, format) });
  }
  return outcomes;
}

const outcomeOf = (name: string, price: number, point: number | null): Outcomes[number] =>
  point === null ? { name, price } : { name, price, point };
