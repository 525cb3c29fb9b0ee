// Prices that are probably wrong, such as 19 for 1.9 or the two sides exchanged: the rule of placeholders (D22) with the figures of sports. They are
// shown, but are best only if there is no other, and never part of an arb.
import { median } from '../market/median';
import { isStaleAt, type PricedBook, type PricedMarket } from './match';
import { isUnderRound } from './quality';

/** Books differ by more on long shots, where it means little: both conditions must be met. */
const TIMES_THE_PROFIT = 3;
const LESS_PROBABLE_BY = 0.02;
const OTHER_BOOKS = 3;
/** Part of a price by which binary arithmetic may fall short. */
const NOISE = 1e-9;

/** A book's prices of a market. */
export interface Offer {
  readonly book: PricedBook;
  readonly prices: PricedMarket;
}

const SIDES = ['home', 'draw', 'away'] as const;

/**
 * The books of which a price pays at least three times the profit of the median of three or more other books' prices, none of them stale, where
 * that median is at least 2 percentage points more probable; or whose own prices add up to less than 100 %, which no book sells. Either puts every
 * price of the market in doubt. `offers`: of the same outcomes and the same line.
 */
export function suspectsOf(offers: readonly Offer[], nowMs: number): ReadonlySet<PricedBook> {
  const fresh = offers.filter(({ book }) => !isStaleAt(book, nowMs));
  const lowest = new Map(SIDES.map((side) => [side, Math.min(...fresh.flatMap(({ prices }) => prices[side] ?? []))]));
  const isOff = ({ book, prices }: Offer): boolean =>
    SIDES.some((side) => {
      const price = prices[side];
      // No median is below the lowest: for nearly all prices this decides.
      if (price === null || !isFarAbove(price, lowest.get(side)!)) return false;
      const others = fresh.flatMap((other) => (other.book === book ? [] : (other.prices[side] ?? [])));
      return others.length >= OTHER_BOOKS && isFarAbove(price, median(others)!);
    });
  return new Set(offers.flatMap((one) => (isUnderRound(one.prices) || isOff(one) ? one.book : [])));
}

const isFarAbove = (price: number, usual: number): boolean =>
  price - 1 >= TIMES_THE_PROFIT * (usual - 1) - NOISE && 1 / usual - 1 / price >= LESS_PROBABLE_BY - NOISE;
