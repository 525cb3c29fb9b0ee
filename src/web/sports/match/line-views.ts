// Every line of a match, main and alternate: a row a line with its two sides, a column a book, the best of each side
// marked. Pure. Two points are never one row, and a book has one offer of a line.
import { type Line, linesOf } from '../../../domain/sports/lines/lines';
import { commonFirst } from '../../../domain/sports/lines/main-lines';
import { type PricedBook, type PricedMarket, type PricedMatch, seenOf } from '../../../domain/sports/match';
import type { MatchListings } from '../../../domain/sports/match-listings';
import { LINE_MARKETS, type LineMarket, lineMarketOf } from '../../../domain/sports/sports';
import type { BestCell, LineCell, LineRow, LinesView, LineTable, SideCell } from '../model';
import { bookTitle, seenAt, shownPrice } from '../shown-prices';
import { shownMatch } from './shown-match';

type Quote = Line['home'][number];
type Side = 'home' | 'away';

/** Of a market: the main lines, and of the others those that most books offer. */
export const MOST_LINES_SHOWN = 20;

/** `match`: with its alternates. Null: it has started, or no book has a price. */
export function linesView(listed: MatchListings, match: PricedMatch | null, nowMs: number): LinesView {
  const { open, ...shown } = shownMatch(listed, match, nowMs);
  return {
    ...shown,
    tables: open ? LINE_MARKETS.flatMap((market) => lineTable(open, market, nowMs) ?? []) : [],
  };
}

interface Offered {
  readonly book: PricedBook;
  readonly prices: PricedMarket;
  readonly point: number;
}

/** Of a market; of a book at one point the main line, which comes before its alternates. */
function offersOf({ books }: PricedMatch, market: LineMarket): readonly Offered[] {
  return books.flatMap((book) => {
    const byPoint = new Map<number, Offered>();
    for (const prices of book.markets) {
      const point = lineMarketOf(prices.market) === market ? pointOf(prices, market) : null;
      if (point !== null && !byPoint.has(point)) byPoint.set(point, { book, prices, point });
    }
    return [...byPoint.values()];
  });
}

/** Of the home side, or the total. */
function pointOf({ homePoint, awayPoint }: PricedMarket, market: LineMarket): number | null {
  if (homePoint !== null || awayPoint === null) return homePoint;
  return market === 'totals' ? awayPoint : 0 - awayPoint;
}

/** Null: no book has a line of this market. */
function lineTable(match: PricedMatch, market: LineMarket, nowMs: number): LineTable | null {
  const offers = offersOf(match, market);
  if (offers.length === 0) return null;
  const byPoint = Map.groupBy(offers, ({ point }) => point);
  const isMain = (point: number) => byPoint.get(point)!.some(({ prices }) => prices.market === market);
  const common = commonFirst(offers.map(({ point }) => point));
  const points = [...common.filter(isMain), ...common.filter((one) => !isMain(one))].slice(0, MOST_LINES_SHOWN);
  const shown = points.toSorted((a, b) => a - b);
  const books = booksOf(shown.flatMap((point) => byPoint.get(point)!));
  const compared = new Map(linesOf(match, market, nowMs).map((line) => [line.point, line]));
  const [home, away] = market === 'totals' ? ['Over', 'Under'] : [match.homeTeam, match.awayTeam];
  return {
    ...{ market, home: home!, away: away!, left: byPoint.size - shown.length },
    books: books.map(({ bookmaker }) => bookTitle(bookmaker)),
    rows: shown.map((point) => {
      const own = byPoint.get(point)!;
      const ofBooks = books.map((book) => own.find((one) => one.book === book) ?? null);
      return lineRow(ofBooks, compared.get(point) ?? null, point, market, nowMs);
    }),
  };
}

const booksOf = (offers: readonly Offered[]): readonly PricedBook[] =>
  [...new Set(offers.map(({ book }) => book))].sort((a, b) =>
    bookTitle(a.bookmaker).localeCompare(bookTitle(b.bookmaker), 'en-AU'),
  );

/** `line`: its compared prices, best first; null: none is compared. */
function lineRow(
  offers: readonly (Offered | null)[],
  line: Line | null,
  point: number,
  market: LineMarket,
  nowMs: number,
): LineRow {
  const own = offers.filter((one) => one !== null);
  const shown = new Set(own.map(({ prices }) => prices));
  const quotesOf = (side: Side): readonly Quote[] => line?.[side].filter(({ offer }) => shown.has(offer.prices)) ?? [];
  const quotes = { home: quotesOf('home'), away: quotesOf('away') };
  const best = ([first]: readonly Quote[], at: number): BestCell => ({
    point: at,
    best: first ? shownPrice(first, nowMs) : null,
  });
  return {
    books: own.length,
    mainOf: own.filter(({ prices }) => prices.market === market).length,
    home: best(quotes.home, point),
    away: best(quotes.away, market === 'totals' ? point : 0 - point),
    cells: offers.map((one) => one && lineCell(one, quotes, nowMs)),
  };
}

const lineCell = ({ book, prices }: Offered, quotes: Record<Side, readonly Quote[]>, nowMs: number): LineCell => ({
  seen: seenAt(seenOf(book, prices), nowMs),
  home: sideCell(prices, 'home', quotes.home),
  away: sideCell(prices, 'away', quotes.away),
});

/** `all`: of the side, best first. A price that every compared book of the line has is marked at none. */
function sideCell(prices: PricedMarket, side: Side, all: readonly Quote[]): SideCell | null {
  const price = prices[side];
  if (price === null) return null;
  const own = all.find(({ offer }) => offer.prices === prices);
  const [first] = all;
  const isBest = own && price === first!.price && own.suspect === first!.suspect;
  return { price, best: isBest === true && all.some((one) => one.price !== price), suspect: own?.because ?? null };
}
