// One match: every book's prices by market, the best marked, and which books list it and why. Pure.
import { bestPrices } from '../../../domain/sports/best-prices';
import { compareH2h, DRAW } from '../../../domain/sports/compare';
import { linesOf } from '../../../domain/sports/lines/lines';
import { type PricedBook, type PricedMarket, type PricedMatch, seenOf } from '../../../domain/sports/match';
import type { MatchListings } from '../../../domain/sports/match-listings';
import { MARKETS, type MatchMarket, sportOf } from '../../../domain/sports/sports';
import type { SuspectReason } from '../../../domain/sports/trust/suspect';
import type { BestCell, BookCell, BookRow, ListingRow, MarketView, MatchView, SideName } from '../model';
import { bookTitle, seenAt, shownPrice } from '../shown-prices';
import { shownMatch } from './shown-match';

/** `match` null: it has started, or no book has a price. */
export function matchView(listed: MatchListings, match: PricedMatch | null, nowMs: number): MatchView {
  const { open, ...shown } = shownMatch(listed, match, nowMs);
  return {
    ...shown,
    markets: open ? MARKETS.flatMap((market) => marketView(open, market, nowMs) ?? []) : [],
    arbs: [],
    listings: listed.listings.map(listingRow),
  };
}

const listingRow = (one: MatchListings['listings'][number]): ListingRow => {
  const { bookmaker, homeName, awayName, swapped, startMs, observedMs, takenBackMs, placedBy, ruled } = one;
  const names = swapped ? { homeName: awayName, awayName: homeName } : { homeName, awayName };
  return {
    bookmaker: bookTitle(bookmaker),
    ...{ ...names, swapped, startMs, observedMs, placedBy, ruled },
    listed: takenBackMs === null,
  };
};

/** Null: no book has a price of this market. */
function marketView(match: PricedMatch, market: MatchMarket, nowMs: number): MarketView | null {
  const offers = match.books.map((book) => ({ book, prices: book.markets.find((one) => one.market === market) }));
  if (offers.every(({ prices }) => prices === undefined)) return null;
  const hasDraw = offers.some(({ prices }) => prices !== undefined && prices.draw !== null);
  const sides = sidesOf(match, market, hasDraw);
  const bests = bestsOf(match, market, sides, nowMs);
  const judged = judgedOf(match, market, nowMs);
  const rows = offers.map(({ book, prices }) => bookRow(book, prices, { sides, bests, judged, nowMs }));
  const books = withoutShared(rows).toSorted((a, b) => a.bookmaker.localeCompare(b.bookmaker, 'en-AU'));
  return { market, sides, bests, books };
}

function sidesOf({ homeTeam, awayTeam }: PricedMatch, market: MatchMarket, hasDraw: boolean): readonly SideName[] {
  const [home, away] = market === 'totals' ? ['Over', 'Under'] : [homeTeam, awayTeam];
  const draw: SideName[] = hasDraw ? [{ side: 'draw', name: DRAW }] : [];
  return [{ side: 'home', name: home! }, ...draw, { side: 'away', name: away! }];
}

type Judged = ReadonlyMap<PricedMarket, SuspectReason | null>;

/** A row head to head; of lines one for each that `bestPrices` chooses. */
function bestsOf(match: PricedMatch, market: MatchMarket, sides: readonly SideName[], nowMs: number): BestCell[][] {
  const all = bestPrices(match, market, nowMs);
  const cell = ({ point, best }: (typeof all)[number]): BestCell => ({
    point,
    best: best && shownPrice(best, nowMs),
  });
  if (market !== 'h2h') return Array.from({ length: all.length / 2 }, (_, i) => all.slice(2 * i, 2 * i + 2).map(cell));
  const found = (name: string): BestCell =>
    cell(all.find((one) => one.name === name) ?? { name, point: null, best: null });
  return [sides.map(({ name }) => found(name))];
}

/** The prices that are compared, each with the reason why it is suspect. */
function judgedOf(match: PricedMatch, market: MatchMarket, nowMs: number): Judged {
  const quotes =
    market === 'h2h'
      ? compareH2h(match, sportOf(match.sportKey)!, nowMs).selections.flatMap((one) => one.quotes)
      : linesOf(match, market, nowMs).flatMap(({ home, away }) => [...home, ...away]);
  return new Map(
    quotes.map(({ book, because }) => [book.markets.find((one) => one.market === market)!, because] as const),
  );
}

interface Table {
  readonly sides: readonly SideName[];
  readonly bests: readonly (readonly BestCell[])[];
  readonly judged: Judged;
  readonly nowMs: number;
}

function bookRow(book: PricedBook, prices: PricedMarket | undefined, { sides, bests, judged, nowMs }: Table): BookRow {
  const bookmaker = bookTitle(book.bookmaker);
  if (!prices) return { bookmaker, seen: null, another: false, cells: sides.map(() => null) };
  const another = !judged.has(prices);
  const suspect = judged.get(prices) ?? null;
  const cells = sides.map(({ side }, i): BookCell | null => {
    const price = prices[side];
    if (price === null) return null;
    const point = side === 'draw' ? null : prices[`${side}Point`];
    const best = !another && bests.some((row) => isBest(row[i]!, { price, point, suspect }));
    return { price, point, best, suspect };
  });
  return { bookmaker, seen: seenAt(seenOf(book, prices), nowMs), another, cells };
}

const isBest = ({ point, best }: BestCell, cell: Omit<BookCell, 'best'>): boolean =>
  best !== null &&
  best.price === cell.price &&
  point === cell.point &&
  (best.suspect === null) === (cell.suspect === null);

/** A price that every compared book of its line has is marked at none. */
function withoutShared(rows: readonly BookRow[]): readonly BookRow[] {
  const compared = rows.filter(({ another }) => !another);
  const isShared = ({ point, price }: BookCell, i: number): boolean =>
    compared.every(({ cells }) => !cells[i] || cells[i].point !== point || cells[i].price === price);
  return rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, i) => cell && { ...cell, best: cell.best && !isShared(cell, i) }),
  }));
}
