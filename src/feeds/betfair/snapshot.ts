// Maps a race at the exchange, pure: the best back prices of its WIN and PLACE markets as a book's prices, and the
// markets themselves. Runners come from the catalogue. Results are not read: the exchange is withheld from customers,
// but a result would not be.
import { isRemoved, raceMarketStatus } from '../../domain/prices/exchange';
import type { BookRunner, BookSnapshot, ExchangeMarket, ExchangeRunner } from '../../domain/race/feed-race';
import { NO_DETAILS, NO_FACTS, OUT } from '../../domain/race/not-reported';
import { countDrops, type Drops, sumDropped } from '../reading/drops';
import { winAndPlace } from '../reading/legs';
import { asRow, idOf, type JsonObject, listOf, rowOf } from '../reading/read';
import type { Mapped } from '../transport/reply';
import type { CatalogueMarket, CatalogueRunner } from './catalogue';
import { bestOf, marketOfBook } from './market';

export interface RaceMarkets {
  readonly win: CatalogueMarket;
  readonly place: CatalogueMarket | null;
}

/**
 * `rows`: market books of one or several requests, in any order. Null if the WIN market is missing or not as
 * documented.
 */
export function mapRace({ win, place }: RaceMarkets, rows: readonly unknown[]): Mapped<BookSnapshot> | null {
  const drops = countDrops();
  const winRow = rowFor(rows, win);
  const placeRow = place && rowFor(rows, place);
  const winBook = marketOfBook(winRow, win, drops);
  if (!winBook) return null;
  const placeBook = place && marketOfBook(placeRow, place, drops);
  if (place && !placeBook) drops.add('place_market_missing');
  const value: BookSnapshot = {
    sourceRaceId: win.marketId,
    startTime: null,
    facts: NO_FACTS,
    marketStatus: raceMarketStatus(winBook),
    inPlay: winBook.inPlay,
    runners: win.runners.flatMap((runner) => runnerOf(runner, winBook, winRow, placeRow, drops)),
    result: null,
    sourceUrl: null,
    exchange: { markets: placeBook ? [winBook, placeBook] : [winBook] },
  };
  return { value, bookAt: null, dropped: sumDropped(win.dropped, drops.counts()) };
}

const rowFor = (rows: readonly unknown[], market: CatalogueMarket): JsonObject | null =>
  asRow(rows.find((row) => idOf(asRow(row)?.marketId) === market.marketId));

/** Omits a runner that the market does not list: it may not run. */
function runnerOf(
  { selectionId, number, name, ...details }: CatalogueRunner,
  winBook: ExchangeMarket,
  winRow: JsonObject | null,
  placeRow: JsonObject | null,
  drops: Drops,
): BookRunner[] {
  const runner = winBook.runners.find((each) => each.selectionId === selectionId);
  if (!runner) {
    drops.add('selection_missing');
    return [];
  }
  const scratching = scratchingOf(runner);
  const raw = (row: JsonObject | null): unknown =>
    bestOf(rowOf(rowOf(selectionIn(row, selectionId)).ex).availableToBack).price;
  const hidden = scratching !== null || runner.status === 'HIDDEN';
  const prices = winAndPlace(raw(winRow), raw(placeRow), hidden, drops);
  return [{ ...NO_DETAILS, ...details, number, name, scratching, ...prices }];
}

const selectionIn = (row: JsonObject | null, selectionId: number): unknown =>
  listOf(row?.runners).find((runner) => rowOf(runner).selectionId === selectionId);

/**
 * The race decides whether it is late. The adjustment factor is the exchange's own rule, not a bookmaker's deduction.
 */
const scratchingOf = ({ status, removedAt }: ExchangeRunner): BookRunner['scratching'] =>
  isRemoved(status) ? { ...OUT, at: removedAt } : null;
