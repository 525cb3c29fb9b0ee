// Whether prices of a match may be an arb: a cheap question before the whole comparison. Never no where `compareH2h` or
// `bestLineArb` finds one: it counts every fresh price, of one book or of several, suspect or not.
import { isStaleAt, type PricedMarket, type PricedMatch, seenOf } from './match';
import { lineMarketOf, type MatchMarket, sportOf } from './sports';

/** By which binary arithmetic may fall short. */
const NOISE = 1e-9;

export function mayHaveArb(match: PricedMatch, market: MatchMarket, nowMs: number): boolean {
  const fresh: PricedMarket[] = [];
  for (const book of match.books)
    for (const one of book.markets)
      if ((lineMarketOf(one.market) ?? 'h2h') === market && !isStaleAt(seenOf(book, one), nowMs)) fresh.push(one);
  return market === 'h2h' ? mayBeH2h(fresh, sportOf(match.sportKey)!.draw) : mayBeLine(fresh, market === 'totals');
}

/** The share of the highest price; infinite without one. */
const leastShare = (prices: readonly (number | null)[]): number =>
  prices.reduce((least: number, price) => (price === null ? least : Math.min(least, 1 / price)), Infinity);

function mayBeH2h(fresh: readonly PricedMarket[], hasDraw: boolean): boolean {
  const draw = hasDraw ? leastShare(fresh.map((one) => one.draw)) : 0;
  return leastShare(fresh.map(({ home }) => home)) + leastShare(fresh.map(({ away }) => away)) + draw < 1 + NOISE;
}

interface Side {
  /** The home side, or Over, wins above it; the other side below it. */
  readonly at: number;
  readonly share: number;
}

/** Two sides cover every result if the home side's line is not above the other's. */
function mayBeLine(fresh: readonly PricedMarket[], isTotal: boolean): boolean {
  const sideOf = (at: number, price: number | null): Side[] => (price === null ? [] : [{ at, share: 1 / price }]);
  const homes = fresh.flatMap(({ home, homePoint }) => sideOf(isTotal ? homePoint! : 0 - homePoint!, home));
  const aways = fresh.flatMap(({ away, awayPoint }) => sideOf(awayPoint!, away));
  homes.sort((a, b) => a.at - b.at);
  aways.sort((a, b) => a.at - b.at);
  let least = Infinity;
  let next = 0;
  for (const { at, share } of aways) {
    for (; next < homes.length && homes[next]!.at <= at; next++) least = Math.min(least, homes[next]!.share);
    if (least + share < 1 + NOISE) return true;
  }
  return false;
}
