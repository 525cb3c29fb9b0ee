// A book's markets of one match: head to head, the main line of each line market, and its other lines, each by its
// point (D66).
//
// The first listing of a market is its main line. What it lists again at another point, or as `alternate_spreads` and
// `alternate_totals`, are alternates. Without a main line, the alternate whose sides are nearest to even is it.
import type { Instant } from '../../race/race';
import { type BookSelection, type Names, readMarket } from '../read-market';
import {
  ALTERNATES,
  LINE_MARKETS,
  type LineMarket,
  lineMarketOf,
  type MarketPrices,
  type OfferedMarket,
} from '../sports';
import { chancesOf } from '../trust/chances';

export interface ListedMarket {
  readonly market: OfferedMarket;
  /** Of a main line its two sides; of alternates those of every line. */
  readonly selections: readonly BookSelection[];
  /** The source's own time of these prices. Absent or null: it gives none. */
  readonly sourceUpdatedAt?: Instant | null;
}

export interface OfferedPrices {
  readonly market: OfferedMarket;
  readonly prices: MarketPrices;
  readonly sourceUpdatedAt?: Instant | null;
}

/** Of a market, its main one included. */
const MOST_LINES = 40;

type Drop = (reason: string) => void;
type Read = (market: OfferedMarket, listed: Omit<ListedMarket, 'market'>) => OfferedPrices | null;

/**
 * `drop`: called with the reason of everything that is left out. Markets without a price are no markets. Yields after
 * each line: a push may list thousands in one match, and each has its own reason to be left out.
 */
export function* readMarkets(
  listed: readonly ListedMarket[],
  names: Names,
  drop: Drop,
): Generator<void, readonly OfferedPrices[]> {
  const read: Read = (market, { selections, sourceUpdatedAt = null }) => {
    const kind = lineMarketOf(market) ?? 'h2h';
    const { prices, dropped } = readMarket(kind, selections, names);
    for (const reason of dropped) drop(reason.replace(kind, market));
    const isOffered = prices !== null && (prices.home ?? prices.draw ?? prices.away) !== null;
    return isOffered ? { market, prices, sourceUpdatedAt } : null;
  };
  const [first, ...again] = listed.filter(({ market }) => market === 'h2h');
  for (const { market } of again) drop(`${market}_repeated`);
  const h2h = first ? read('h2h', first) : null;
  const offered: OfferedPrices[] = h2h ? [h2h] : [];
  for (const market of LINE_MARKETS) offered.push(...(yield* offeredLines(market, listed, read, drop)));
  return offered;
}

function* offeredLines(
  market: LineMarket,
  all: readonly ListedMarket[],
  read: Read,
  drop: Drop,
): Generator<void, OfferedPrices[]> {
  const alternate = ALTERNATES[market];
  const [first, ...again] = all.filter((one) => one.market === market);
  const main = first ? read(market, first) : null;
  const byPoint = new Map<number, OfferedPrices>(main ? [[main.prices.homePoint!, main]] : []);
  for (const listed of [...again, ...all.filter((one) => one.market === alternate)])
    for (const selections of linesOf(market, listed.selections)) {
      const line = read(alternate, { ...listed, selections });
      if (line !== null) addLine(byPoint, line, drop);
      yield;
    }
  if (main !== null) return [...byPoint.values()];
  const lines = [...byPoint.values()];
  const even = lines.reduce<OfferedPrices | null>((best, one) => (best && !isMoreEven(one, best) ? best : one), null);
  return lines.map((one) => (one === even ? { ...one, market } : one));
}

function addLine(byPoint: Map<number, OfferedPrices>, line: OfferedPrices, drop: Drop): void {
  const { market, prices } = line;
  const same = byPoint.get(prices.homePoint!)?.prices;
  // The same line twice, such as the main one among the alternates.
  if (same && (same.home !== prices.home || same.away !== prices.away)) drop(`${market}_repeated`);
  if (same) return;
  if (byPoint.size >= MOST_LINES) drop(`${market}_too_many`);
  else byPoint.set(prices.homePoint!, line);
}

const fromEven = ({ prices }: OfferedPrices): number => Math.abs(chancesOf(prices).home! - 0.5);

/** Of equally even lines the lower. */
const isMoreEven = (one: OfferedPrices, other: OfferedPrices): boolean =>
  (fromEven(one) - fromEven(other) || one.prices.homePoint! - other.prices.homePoint!) < 0;

/** The two sides of each line. A side without the other is a line of its own, which is left out. */
function linesOf(market: LineMarket, selections: readonly BookSelection[]): readonly (readonly BookSelection[])[] {
  if (selections.length <= 2) return [selections];
  const lines = new Map<string, BookSelection[]>();
  for (const one of selections) {
    const key = market === 'totals' ? String(one.point) : pairKey(one, selections);
    lines.set(key, [...(lines.get(key) ?? []), one]);
  }
  return [...lines.values()];
}

/** A side at -2.5 and the other at 2.5 are one line: named by the point of the side that is listed first. */
function pairKey({ name, point }: BookSelection, [first]: readonly BookSelection[]): string {
  const own = point ?? Number.NaN;
  return String((name === first!.name ? own : 0 - own) + 0);
}
