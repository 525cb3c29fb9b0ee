// Two sides of a line at two books. They cover every result if the points do not leave a gap: together they are an arb if the prices are, and a
// middle if some result wins both. On a result that equals a line the stake on it comes back.
import { type Arb, arbitrage } from './arbitrage';
import { bestFirst, type Quote, quotesOf } from './compare';
import type { PricedBook, PricedMatch } from './match';
import { type Offer, suspectsOf } from './suspect';

interface LineSide {
  readonly name: string;
  readonly point: number;
  readonly price: number;
  readonly suspect: boolean;
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
 * The arbs and middles of fresh prices that are not suspect, arbs first, then by what they return; if there is none, the best pair of two books' prices,
 * which is neither.
 */
export function comparePairs(match: PricedMatch, market: LineMarket, nowMs: number): readonly LinePair[] {
  const sides = sidesOf(match, market, nowMs);
  const found = worthwhile(match, market, sides);
  if (found.length > 0) return found.slice(0, MOST_PAIRS);
  const others = pairsOf(match, market, sides).filter(({ a, b }) => a.book !== b.book);
  return others
    .map(({ a, b }): LinePair => ({ a, b, isMiddle: false, arb: null }))
    .sort(mostFirst)
    .slice(0, 1);
}

/** The pair of the market that returns most; null: there is no arb. */
export function bestLineArb(match: PricedMatch, market: LineMarket, nowMs: number): (LinePair & { arb: Arb }) | null {
  const [first] = worthwhile(match, market, sidesOf(match, market, nowMs));
  return first?.arb ? { ...first, arb: first.arb } : null;
}

interface Sides {
  readonly home: readonly PointQuote[];
  readonly away: readonly PointQuote[];
}

export interface Line extends Sides {
  /** Of the home side, or the total. */
  readonly point: number;
  readonly books: number;
}

/** The arbs and middles, most first. */
function worthwhile(match: PricedMatch, market: LineMarket, { home, away }: Sides): LinePair[] {
  const best = (side: readonly PointQuote[]) => bestByPoint(side.filter(({ usable }) => usable));
  return pairsOf(match, market, { home: best(home), away: best(away) })
    .map((pair): LinePair => ({ ...pair, arb: arbitrage([pair.a.price, pair.b.price]) }))
    .filter(({ arb, isMiddle }) => arb !== null || isMiddle)
    .sort(mostFirst);
}

function pairsOf({ homeTeam, awayTeam }: PricedMatch, market: LineMarket, { home, away }: Sides) {
  const [one, other] = market === 'totals' ? ['Over', 'Under'] : [homeTeam, awayTeam];
  return home.flatMap((a) =>
    away.flatMap((b) => {
      const isMiddle = insideOf(market, a.point, b.point);
      return isMiddle === null ? [] : [{ a: lineSide(one!, a), b: lineSide(other!, b), isMiddle }];
    }),
  );
}

/** Best first. */
function sidesOf(match: PricedMatch, market: LineMarket, nowMs: number): Sides {
  const lines = linesOf(match, market, nowMs);
  const all = (side: 'home' | 'away') => lines.flatMap((line) => line[side]).sort(bestFirst);
  return { home: all('home'), away: all('away') };
}

/** The prices of each line, best first, by the point of the home side; only prices of one line are compared for suspects. */
export function linesOf({ books }: PricedMatch, market: LineMarket, nowMs: number): readonly Line[] {
  const byPoint = new Map<number, Offer[]>();
  for (const book of books) {
    const prices = book.markets.find((one) => one.market === market);
    if (prices) byPoint.set(prices.homePoint!, [...(byPoint.get(prices.homePoint!) ?? []), { book, prices }]);
  }
  return [...byPoint].map(([point, offers]) => {
    const suspects = suspectsOf(offers, nowMs);
    const quotes = (side: 'home' | 'away'): PointQuote[] =>
      offers
        .flatMap(({ book, prices }) =>
          quotesOf(book, prices[side], suspects, nowMs).map((one) => ({ ...one, point: prices[`${side}Point`]! })),
        )
        .sort(bestFirst);
    return { point, books: offers.length, home: quotes('home'), away: quotes('away') };
  });
}

/** `quotes`: best first. */
function bestByPoint(quotes: readonly PointQuote[]): PointQuote[] {
  const best = new Map<number, PointQuote>();
  for (const one of quotes) if (!best.has(one.point)) best.set(one.point, one);
  return [...best.values()];
}

const lineSide = (name: string, { book, price, point, suspect }: PointQuote): LineSide => ({
  name,
  point,
  price,
  suspect,
  book,
});

/** Whether a whole result wins both sides; null: some result loses both. */
function insideOf(market: LineMarket, a: number, b: number): boolean | null {
  // The home side wins above `low`, the away side below `high`, in points of the margin or of the total.
  const [low, high] = market === 'totals' ? [a, b] : [-a, b];
  if (high < low) return null;
  return Math.ceil(high) - 1 >= Math.floor(low) + 1;
}

const isSuspect = ({ a, b }: LinePair): boolean => a.suspect || b.suspect;
const costOf = ({ a, b }: LinePair): number => 1 / a.price + 1 / b.price;

/** Equal pairs by their lines, so that the order does not depend on that of the books. */
const mostFirst = (one: LinePair, other: LinePair): number =>
  Number(other.arb !== null) - Number(one.arb !== null) ||
  Number(isSuspect(one)) - Number(isSuspect(other)) ||
  costOf(one) - costOf(other) ||
  one.a.point - other.a.point ||
  one.b.point - other.b.point;
