// Head-to-head prices of a match over its books: the best of each selection, and whether they are an arb.
//
// Compared are books with the sport's own outcomes, two or three; only if there is none, those with the others: what a book without the draw pays
// when there is one is another bet. An arb needs a fresh price of every outcome there is, none of them of a book that sells below 100 %.
import { halfUp } from '../half-up';
import { type Arb, arbitrage } from './arbitrage';
import { isStaleAt, type PricedBook, type PricedMarket, type PricedMatch } from './match';
import { isUnderRound } from './quality';
import type { Sport } from './sports';

export interface Quote {
  readonly book: PricedBook;
  readonly price: number;
  /** It may be part of an arb. */
  readonly usable: boolean;
}

export interface Selection {
  readonly name: string;
  /** Best first, one at least. */
  readonly quotes: readonly Quote[];
}

export interface Comparison {
  readonly selections: readonly Selection[];
  readonly arb:
    | (Arb & {
        readonly legs: readonly { readonly name: string; readonly price: number; readonly bookmaker: string }[];
      })
    | null;
}

export const DRAW = 'Draw';
const SIDES = ['home', 'away', 'draw'] as const;

export function compareH2h(match: PricedMatch, sport: Sport, nowMs: number): Comparison {
  const all = match.books.flatMap((book) =>
    book.markets.flatMap((prices) => (prices.market === 'h2h' ? [{ book, prices }] : [])),
  );
  const usual = all.filter(({ prices }) => (prices.draw !== null) === sport.draw);
  const compared = usual.length > 0 ? usual : all;
  const names = { home: match.homeTeam, away: match.awayTeam, draw: DRAW };
  const selections = SIDES.flatMap((side): Selection[] => {
    const quotes = compared.flatMap(({ book, prices }) => quotesOf(book, prices, side, nowMs));
    return quotes.length > 0 ? [{ name: names[side], quotes: quotes.sort(bestFirst) }] : [];
  });
  const outcomes = sport.draw || compared.some(({ prices }) => prices.draw !== null) ? 3 : 2;
  return { selections, arb: selections.length === outcomes ? arbOf(selections) : null };
}

function quotesOf(book: PricedBook, prices: PricedMarket, side: (typeof SIDES)[number], nowMs: number): Quote[] {
  const price = prices[side];
  return price === null ? [] : [{ book, price, usable: !isStaleAt(book, nowMs) && !isUnderRound(prices) }];
}

/** Of equal prices the newer, then by key. */
export const bestFirst = (a: Quote, b: Quote): number =>
  b.price - a.price || b.book.observedAtMs - a.book.observedAtMs || (a.book.bookmaker < b.book.bookmaker ? -1 : 1);

function arbOf(selections: readonly Selection[]): Comparison['arb'] {
  const legs = selections.flatMap(({ name, quotes }) => {
    const best = quotes.find(({ usable }) => usable);
    return best ? [{ name, price: best.price, bookmaker: best.book.bookmaker }] : [];
  });
  if (legs.length < selections.length) return null;
  const arb = arbitrage(legs.map(({ price }) => price));
  return arb && { ...arb, legs };
}

/** Figures of one selection's prices: their mean and spread, and how far the best is above the mean, in percent. */
export function spreadOf({ quotes }: Selection) {
  const prices = quotes.map(({ price }) => price);
  const [best, worst] = [prices[0]!, prices.at(-1)!];
  const average = prices.reduce((sum, price) => sum + price, 0) / prices.length;
  return {
    worst,
    average: halfUp(average, 100),
    spread: halfUp(best - worst, 100),
    overlayPct: halfUp((best / average - 1) * 100, 100),
  };
}
