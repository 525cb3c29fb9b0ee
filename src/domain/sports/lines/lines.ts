// Two sides of a line at two books. They cover every result if the points leave no gap: together they are an arb if the
// prices are, and a middle if some result wins both. On a result that equals a line its stake is returned.
import { type Arb, arbitrage } from '../arbitrage';
import { bestFirst, type MatchQuote, quotesOf } from '../compare';
import { isStaleAt, type Observed, type PricedBook, type PricedMatch } from '../match';
import type { LineMarket } from '../sports';
import type { Confidence } from '../trust/confidence';
import type { SuspectReason, Suspects } from '../trust/suspect';
import { type LineOffer, lineOffersOf, lineRuleOf, suspectLines } from './line-offers';
import { refusalOf, trustIn } from './line-trust';

interface LineSide {
  readonly name: string;
  readonly point: number;
  readonly price: number;
  readonly suspect: boolean;
  readonly because: SuspectReason | null;
  readonly book: PricedBook;
  readonly seen: Observed;
}

export interface LinePair {
  readonly a: LineSide;
  readonly b: LineSide;
  readonly isMiddle: boolean;
  readonly arb: Arb | null;
  /** Why it is neither, although its points and fresh prices would make it one. */
  readonly refused: SuspectReason | null;
  /** Of an arb or a middle. */
  readonly confidence: Confidence | null;
}

interface PointQuote extends MatchQuote {
  readonly point: number;
  readonly offer: LineOffer;
}

/** Of each match and market. */
export const MOST_PAIRS = 20;
const MOST_REFUSED = 3;

interface Sides {
  readonly home: readonly PointQuote[];
  readonly away: readonly PointQuote[];
}

interface Compared extends Sides {
  readonly match: PricedMatch;
  readonly market: LineMarket;
  readonly offers: readonly LineOffer[];
  readonly suspects: Suspects;
  readonly nowMs: number;
}

/**
 * The arbs and middles of fresh prices that are not suspect, arbs first, then by what they return; behind them those
 * that a suspect price would make. If there is none, the best pair of two books' prices, which is neither.
 */
export function comparePairs(match: PricedMatch, market: LineMarket, nowMs: number): readonly LinePair[] {
  const compared = comparedOf(match, market, nowMs);
  const { sound, refused } = worthwhile(compared);
  const shown =
    sound.length > 0 ? sound : bestPair(compared).filter((one) => !refused.some((other) => isSame(one, other)));
  return [...shown.slice(0, MOST_PAIRS - Math.min(refused.length, MOST_REFUSED)), ...refused.slice(0, MOST_REFUSED)];
}

const NEITHER = { isMiddle: false, arb: null, refused: null, confidence: null };

/** Of two books' prices, the one that costs least; none of suspect ones while there are others. */
const bestPair = (compared: Compared): LinePair[] =>
  pairsOf(compared, compared)
    .filter(({ one, other }) => one.book !== other.book)
    .map(({ one, other }) => pairOf(compared, one, other, NEITHER))
    .sort(mostFirst)
    .slice(0, 1);

const isSame = (one: LinePair, other: LinePair): boolean =>
  [one.a, one.b].every((side, i) => {
    const { book, point } = i === 0 ? other.a : other.b;
    return side.book === book && side.point === point;
  });

/** The pair of the market that returns most; null: there is no arb. */
export function bestLineArb(
  match: PricedMatch,
  market: LineMarket,
  nowMs: number,
): (LinePair & { arb: Arb; confidence: Confidence }) | null {
  const [first] = worthwhile(comparedOf(match, market, nowMs)).sound;
  return first?.arb && first.confidence ? { ...first, arb: first.arb, confidence: first.confidence } : null;
}

function comparedOf(match: PricedMatch, market: LineMarket, nowMs: number): Compared {
  const offers = lineOffersOf(match, market);
  const suspects = suspectLines(offers, lineRuleOf(match.sportKey, market), nowMs);
  const quotes = (side: 'home' | 'away') =>
    offers.flatMap((offer) => pointQuotesOf(offer, side, suspects, nowMs)).sort(bestFirst);
  return { match, market, offers, suspects, nowMs, home: quotes('home'), away: quotes('away') };
}

const pointQuotesOf = (offer: LineOffer, side: 'home' | 'away', suspects: Suspects, nowMs: number): PointQuote[] =>
  quotesOf(offer, side, suspects, nowMs).map((one) => ({ ...one, offer, point: offer.prices[`${side}Point`]! }));

/**
 * For each two points the pair of two books that costs least: the arbs and middles, most first; and those that a
 * suspect price would make.
 */
function worthwhile(compared: Compared): { readonly sound: LinePair[]; readonly refused: LinePair[] } {
  const { nowMs } = compared;
  const sound: LinePair[] = [];
  const refused: LinePair[] = [];
  for (const { one, other, isMiddle } of cheapest(compared, ({ usable }) => usable)) {
    const arb = arbitrage([one.price, other.price]);
    if (arb === null && !isMiddle) continue;
    const why = refusalOf(one.offer, other.offer, arb, compared);
    if (why) refused.push(pairOf(compared, one, other, { ...NEITHER, refused: why }));
    else {
      const confidence = trustIn(one, other, compared);
      sound.push(pairOf(compared, one, other, { isMiddle, arb, refused: null, confidence }));
    }
  }
  const isDoubted = ({ one, other }: PointPair): boolean => one.suspect || other.suspect;
  for (const { one, other, isMiddle } of cheapest(compared, ({ seen }) => !isStaleAt(seen, nowMs), isDoubted)) {
    if (!isMiddle && arbitrage([one.price, other.price]) === null) continue;
    refused.push(pairOf(compared, one, other, { ...NEITHER, refused: one.because ?? other.because }));
  }
  return { sound: sound.sort(mostFirst), refused: refused.sort(mostFirst) };
}

interface PointPair {
  readonly one: PointQuote;
  readonly other: PointQuote;
  readonly isMiddle: boolean;
}

function cheapest(
  compared: Compared,
  isIn: (quote: PointQuote) => boolean,
  isWanted: (pair: PointPair) => boolean = () => true,
): readonly PointPair[] {
  const best = new Map<string, PointPair>();
  const sides = { home: bestByPoint(compared.home.filter(isIn)), away: bestByPoint(compared.away.filter(isIn)) };
  for (const pair of pairsOf(compared, sides)) {
    const { one, other } = pair;
    if (one.book === other.book || !isWanted(pair)) continue;
    const points = `${one.point} ${other.point}`;
    const known = best.get(points);
    if (!known || 1 / one.price + 1 / other.price < 1 / known.one.price + 1 / known.other.price) best.set(points, pair);
  }
  return [...best.values()];
}

function pairsOf({ market }: Compared, { home, away }: Sides): readonly PointPair[] {
  return home.flatMap((one) =>
    away.flatMap((other) => {
      const isMiddle = insideOf(market, one.point, other.point);
      return isMiddle === null ? [] : [{ one, other, isMiddle }];
    }),
  );
}

function pairOf(
  { match, market }: Compared,
  one: PointQuote,
  other: PointQuote,
  judged: Pick<LinePair, 'isMiddle' | 'arb' | 'refused' | 'confidence'>,
): LinePair {
  const [home, away] = market === 'totals' ? ['Over', 'Under'] : [match.homeTeam, match.awayTeam];
  return { a: lineSide(home!, one), b: lineSide(away!, other), ...judged };
}

export interface Line extends Sides {
  /** Of the home side, or the total. */
  readonly point: number;
  readonly books: number;
}

/** The prices of each line, best first, by the point of the home side. */
export function linesOf(match: PricedMatch, market: LineMarket, nowMs: number): readonly Line[] {
  const { offers, home, away } = comparedOf(match, market, nowMs);
  const points = new Map<number, number>();
  for (const { point } of offers) points.set(point, (points.get(point) ?? 0) + 1);
  const at = (quotes: readonly PointQuote[], point: number) => quotes.filter(({ offer }) => offer.point === point);
  return [...points].map(([point, books]) => ({ point, books, home: at(home, point), away: at(away, point) }));
}

/**
 * `quotes`: best first. Of each point the best, the best of another book, and the best suspect one: enough for every
 * pair of two books.
 */
function bestByPoint(quotes: readonly PointQuote[]): PointQuote[] {
  const best = new Map<number, PointQuote[]>();
  for (const one of quotes) {
    const kept = best.get(one.point);
    if (!kept) best.set(one.point, [one]);
    else if (kept.length < 2 || (one.suspect && !kept.some(({ suspect }) => suspect))) kept.push(one);
  }
  return [...best.values()].flat();
}

const lineSide = (name: string, { book, seen, price, point, suspect, because }: PointQuote): LineSide => ({
  name,
  point,
  price,
  suspect,
  because,
  book,
  seen,
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
