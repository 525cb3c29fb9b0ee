// Rows of `GET /v1/sports` and of the odds of one sport.
import type { Static } from '@sinclair/typebox';
import { bookmaker } from '../../../domain/bookmakers';
import { halfUp } from '../../../domain/half-up';
import { DRAW } from '../../../domain/sports/compare';
import {
  type PricedBook,
  type PricedMarket,
  type PricedMatch,
  STALE_AFTER_SECONDS,
} from '../../../domain/sports/match';
import { bookQuality, overallQuality, type Quality } from '../../../domain/sports/quality';
import { lineMarketOf, type OfferedMarket, type Sport, sportOf } from '../../../domain/sports/sports';
import type { SportEvent, Sport as SportRow } from '../../schemas/sports/odds';
import { confirmedAt, freshnessOf, identityOf, withOldest } from './match';

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

function dataQuality(books: readonly PricedBook[], sport: Sport, nowMs: number) {
  return {
    ...overallQuality(books.map((book) => bookQuality(book, sport, nowMs).book)),
    source_count: books.length,
    bookmaker_count: new Set(books.map((book) => book.bookmaker)).size,
  };
}

export function presentEvent(
  match: PricedMatch,
  format: Format,
  nowMs: number,
  cacheAgeSeconds: number | null,
): Static<typeof SportEvent> {
  const sport = sportOf(match.sportKey)!;
  const { books } = match;
  const seen = books.map(withOldest);
  const quoting = (key: string) => books.filter(({ markets }) => markets.some(({ market }) => market === key)).length;
  return {
    id: match.eventId,
    canonical_event_id: match.canonicalId,
    sport_title: sport.title,
    ...identityOf(match),
    competition: match.competition,
    bookmakers: books.map((book) => {
      const quality = bookQuality(book, sport, nowMs);
      return {
        key: book.bookmaker,
        title: bookmaker(book.bookmaker)!.title,
        ...confirmedAt(withOldest(book), nowMs),
        quality: presentQuality(quality.book, books.length),
        markets: offeredBy(book).map(({ key, lines }) => ({
          key,
          quality: presentQuality(worstOf(lines.map((i) => quality.markets[i]!)), quoting(key)),
          outcomes: lines.flatMap((i) => outcomesOf(book, book.markets[i]!, format)),
        })),
      };
    }),
    odds_format: format,
    fetched_at: new Date(Math.max(...seen.map(({ observedAtMs }) => observedAtMs))).toISOString(),
    ...freshnessOf(seen, nowMs),
    ...cacheOf(cacheAgeSeconds),
    data_quality: dataQuality(books, sport, nowMs),
  };
}

/** The places of a market's lines: of alternates it has several. */
function offeredBy({ markets }: PricedBook) {
  const offered: { readonly key: OfferedMarket; readonly lines: number[] }[] = [];
  for (const [i, { market }] of markets.entries()) {
    if (offered.at(-1)?.key === market) offered.at(-1)!.lines.push(i);
    else offered.push({ key: market, lines: [i] });
  }
  return offered;
}

const worstOf = (lines: readonly Quality[]): Quality =>
  lines.reduce((worst, one) => (one.score < worst.score ? one : worst));

const presentQuality = ({ score, status, ageSeconds, issues }: Quality, sources: number) => ({
  score,
  status,
  age_seconds: ageSeconds,
  issues: [...issues],
  source_count: sources,
  stale_after_seconds: STALE_AFTER_SECONDS,
});

function outcomesOf(book: PricedBook, prices: PricedMarket, format: Format) {
  const isTotal = lineMarketOf(prices.market) === 'totals';
  const sides = [
    { name: isTotal ? 'Over' : book.homeName, price: prices.home, point: prices.homePoint },
    { name: isTotal ? 'Under' : book.awayName, price: prices.away, point: prices.awayPoint },
    { name: DRAW, price: prices.draw, point: null },
  ];
  return sides.flatMap(({ name, price, point }) =>
    price === null ? [] : [{ name, price: inFormat(price, format), ...(point !== null && { point }) }],
  );
}
