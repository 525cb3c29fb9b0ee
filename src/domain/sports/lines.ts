// Two sides of a line at two books. They cover every result if the points do not leave a gap: together they are an arb if the prices are, and a
// middle if some result wins both. On a result that equals a line the stake on it comes back.
import { type Arb, arbitrage } from './arbitrage';
import { bestFirst, type Quote } from './compare';
import { isStaleAt, type PricedBook, type PricedMatch } from './match';
import { isUnderRound } from './quality';

interface LineSide {
  readonly name: string;
  readonly point: number;
  readonly price: number;
  readonly book: PricedBook;
}

export interface LinePair {
  readonly a: LineSide;
  readonly b: LineSide;
  readonly isMiddle: boolean;
  readonly arb: Arb | null;
}

export type LineMarket = 'spreads' | 'totals';

interface PointQuote extends Quote {
  readonly point: number;
}

/** Of each match and market. */
export const MOST_PAIRS = 20;

/**
 * The arbs and middles of fresh prices, arbs first, then by what they return; if there is none, the best pair of any age, which is neither.
 */
export function comparePairs(match: PricedMatch, market: LineMarket, nowMs: number): readonly LinePair[] {
  const { home, away } = sidesOf(match, market, nowMs);
  const names = market === 'totals' ? ['Over', 'Under'] : [match.homeTeam, match.awayTeam];
  const pairUp = (overs: readonly PointQuote[], unders: readonly PointQuote[], fresh: boolean): LinePair[] =>
    bestByPoint(overs).flatMap((a) =>
      bestByPoint(unders).flatMap((b) => {
        const inside = insideOf(market, a.point, b.point);
        if (inside === null) return [];
        const [one, other] = [lineSide(names[0]!, a), lineSide(names[1]!, b)];
        const pair = { a: one, b: other };
        const verdict = fresh
          ? { isMiddle: inside, arb: arbitrage([a.price, b.price]) }
          : { isMiddle: false, arb: null };
        return [{ ...pair, ...verdict }];
      }),
    );
  const fresh = (side: readonly PointQuote[]) => side.filter(({ usable }) => usable);
  const found = pairUp(fresh(home), fresh(away), true).filter(({ arb, isMiddle }) => arb !== null || isMiddle);
  if (found.length > 0) return found.sort(mostFirst).slice(0, MOST_PAIRS);
  return pairUp(home, away, false).sort(mostFirst).slice(0, 1);
}

function sidesOf({ books }: PricedMatch, market: LineMarket, nowMs: number) {
  const home: PointQuote[] = [];
  const away: PointQuote[] = [];
  for (const book of books) {
    const prices = book.markets.find((one) => one.market === market);
    if (!prices) continue;
    const usable = !isStaleAt(book, nowMs) && !isUnderRound(prices);
    if (prices.home !== null) home.push({ book, price: prices.home, point: prices.homePoint!, usable });
    if (prices.away !== null) away.push({ book, price: prices.away, point: prices.awayPoint!, usable });
  }
  return { home, away };
}

function bestByPoint(quotes: readonly PointQuote[]): PointQuote[] {
  const best = new Map<number, PointQuote>();
  for (const one of [...quotes].sort(bestFirst)) if (!best.has(one.point)) best.set(one.point, one);
  return [...best.values()];
}

const lineSide = (name: string, { book, price, point }: PointQuote): LineSide => ({ name, point, price, book });

/** Whether a whole result wins both sides; null: some result loses both. */
function insideOf(market: LineMarket, a: number, b: number): boolean | null {
  // The home side wins above `low`, the away side below `high`, in points of the margin or of the total.
  const [low, high] = market === 'totals' ? [a, b] : [-a, b];
  if (high < low) return null;
  return Math.ceil(high) - 1 >= Math.floor(low) + 1;
}

const costOf = ({ a, b }: LinePair): number => 1 / a.price + 1 / b.price;

/** Equal pairs by their lines, so that the order does not depend on that of the books. */
const mostFirst = (one: LinePair, other: LinePair): number =>
  Number(other.arb !== null) - Number(one.arb !== null) ||
  costOf(one) - costOf(other) ||
  one.a.point - other.a.point ||
  one.b.point - other.b.point;
