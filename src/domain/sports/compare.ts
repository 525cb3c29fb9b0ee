// Head-to-head prices of a match over its books: the best of each selection, and whether they are an arb.
//
// Compared are books with the sport's own outcomes, two or three; only if there is none, those with the others: what a book without the draw pays
// when there is one is another bet. An arb needs a fresh price of every outcome there is, none of them suspect.
import { halfUp } from '../half-up';
import { type Arb, arbitrage } from './arbitrage';
import { isStaleAt, type PricedBook, type PricedMatch } from './match';
import type { Sport } from './sports';
import { suspectsOf } from './suspect';

export interface Quote {
  readonly book: PricedBook;
  readonly price: number;
  /** Probably wrong (`suspect.ts`). */
  readonly suspect: boolean;
  /** It may be part of an arb. */
  readonly usable: boolean;
}

export interface Selection {
  readonly name: string;
  /** Best first, suspect ones last; one at least. */
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
  const suspects = suspectsOf(compared, nowMs);
  const names = { home: match.homeTeam, away: match.awayTeam, draw: DRAW };
  const selections = SIDES.flatMap((side): Selection[] => {
    const quotes = compared.flatMap(({ book, prices }) => quotesOf(book, prices[side], suspects, nowMs));
    return quotes.length > 0 ? [{ name: names[side], quotes: quotes.sort(bestFirst) }] : [];
  });
  const outcomes = sport.draw || compared.some(({ prices }) => prices.draw !== null) ? 3 : 2;
  return { selections, arb: selections.length === outcomes ? arbOf(selections) : null };
}

/** None if there is no price. */
export function quotesOf(
  book: PricedBook,
  price: number | null,
  suspects: ReadonlySet<PricedBook>,
  nowMs: number,
): Quote[] {
  const suspect = suspects.has(book);
  return price === null ? [] : [{ book, price, suspect, usable: !suspect && !isStaleAt(book, nowMs) }];
}

/** Suspect prices last. Of equal prices the newer, then by key. */
export const bestFirst = (a: Quote, b: Quote): number =>
  Number(a.suspect) - Number(b.suspect) ||
  b.price - a.price ||
  b.book.observedAtMs - a.book.observedAtMs ||
  (a.book.bookmaker < b.book.bookmaker ? -1 : 1);

function arbOf(selections: readonly Selection[]): Comparison['arb'] {
  const legs = selections.flatMap(({ name, quotes }) => {
    const best = quotes.find(({ usable }) => usable);
    return best ? [{ name, price: best.price, bookmaker: best.book.bookmaker }] : [];
  });
  if (legs.length < selections.length) return null;
  const arb = arbitrage(legs.map(({ price }) => price));
  return arb && { ...arb, legs };
}

/** Of one selection's prices, without suspect ones if there are others: mean, spread, and how far the best is above the mean, in percent. */
export function spreadOf({ quotes }: Selection) {
  const sound = quotes.filter(({ suspect }) => !suspect);
  const prices = (sound.length > 0 ? sound : quotes).map(({ price }) => price);
  const best = prices[0]!;
  const worst = prices.at(-1)!;
  const average = prices.reduce((sum, price) => sum + price, 0) / prices.length;
  return {
    worst,
    average: halfUp(average, 100),
    spread: halfUp(best - worst, 100),
    overlayPct: halfUp((best / average - 1) * 100, 100),
  };
}
