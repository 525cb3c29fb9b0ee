// Head-to-head prices of a match over its books: the best of each selection, and whether they are an arb.
//
// Compared are books with the sport's own outcomes, two or three; only if there is none, those with the others: what a
// book without the draw pays when there is one is another bet. An arb needs a fresh price of every outcome there is,
// none of them suspect.
import { halfUp } from '../half-up';
import { type Arb, isBelowWhole } from './arbitrage';
import { isStaleAt, type Observed, type PricedBook, type PricedMatch, seenOf } from './match';
import { soundArb } from './sound-arb';
import type { Sport } from './sports';
import type { Confidence } from './trust/confidence';
import { type Offer, type SuspectReason, type Suspects, suspectsOf } from './trust/suspect';

export interface MatchQuote {
  readonly book: PricedBook;
  /** When the price was last true. */
  readonly seen: Observed;
  readonly price: number;
  /** Probably wrong (`suspect.ts`). */
  readonly suspect: boolean;
  /** Null: it is not suspect. */
  readonly because: SuspectReason | null;
  /** It may be part of an arb. */
  readonly usable: boolean;
}

export interface Selection {
  readonly name: string;
  /** Best first, suspect ones last; one at least. */
  readonly quotes: readonly MatchQuote[];
}

export interface Comparison {
  readonly selections: readonly Selection[];
  readonly arb:
    | (Arb & {
        readonly legs: readonly { readonly name: string; readonly price: number; readonly bookmaker: string }[];
        readonly confidence: Confidence;
      })
    | null;
  /** Why fresh prices that return more than they cost are not an arb; null: they are one, or return less. */
  readonly refused: SuspectReason | null;
}

export const DRAW = 'Draw';
const SIDES = ['home', 'away', 'draw'] as const;

export function compareH2h(match: PricedMatch, sport: Sport, nowMs: number): Comparison {
  const all = match.books.flatMap((book) =>
    book.markets.flatMap((prices): Offer[] => (prices.market === 'h2h' ? [{ book, prices }] : [])),
  );
  const usual = all.filter(({ prices }) => (prices.draw !== null) === sport.draw);
  const compared = usual.length > 0 ? usual : all;
  const suspects = suspectsOf(compared, nowMs);
  const names = { home: match.homeTeam, away: match.awayTeam, draw: DRAW };
  const hasDraw = sport.draw || compared.some(({ prices }) => prices.draw !== null);
  const outcomes = hasDraw ? SIDES : (['home', 'away'] as const);
  // It marks as suspect what only it can find.
  const found = soundArb(compared, outcomes, suspects, nowMs);
  const selections = SIDES.flatMap((side): Selection[] => {
    const quotes = compared.flatMap((offer) => quotesOf(offer, side, suspects, nowMs));
    return quotes.length > 0 ? [{ name: names[side], quotes: quotes.sort(bestFirst) }] : [];
  });
  if (found === null)
    return {
      selections,
      arb: null,
      refused: selections.length < outcomes.length ? null : refusedOf(selections, nowMs),
    };
  const legs = found.legs.map(({ side, price, offer }) => ({
    name: names[side],
    price,
    bookmaker: offer.book.bookmaker,
  }));
  return { selections, arb: { ...found.arb, legs, confidence: found.confidence }, refused: null };
}

/** None if there is no price. */
export function quotesOf(
  { book, prices }: Offer,
  side: (typeof SIDES)[number],
  suspects: Suspects,
  nowMs: number,
): MatchQuote[] {
  const price = prices[side];
  const because = suspects.get(prices) ?? null;
  const suspect = because !== null;
  const seen = seenOf(book, prices);
  return price === null ? [] : [{ book, seen, price, suspect, because, usable: !suspect && !isStaleAt(seen, nowMs) }];
}

/** Suspect prices last. Of equal prices the newer, then by key. */
export const bestFirst = (a: MatchQuote, b: MatchQuote): number =>
  Number(a.suspect) - Number(b.suspect) ||
  b.price - a.price ||
  b.seen.observedAtMs - a.seen.observedAtMs ||
  (a.book.bookmaker < b.book.bookmaker ? -1 : 1);

/** Of the highest fresh price of each selection, suspect or not. */
function refusedOf(selections: readonly Selection[], nowMs: number): SuspectReason | null {
  const highest = selections.flatMap(({ quotes }) => {
    const fresh = quotes.filter(({ seen }) => !isStaleAt(seen, nowMs));
    return fresh.length > 0 ? [fresh.reduce((best, one) => (one.price > best.price ? one : best))] : [];
  });
  if (highest.length < selections.length || !isBelowWhole(highest.map(({ price }) => price))) return null;
  return highest.find(({ because }) => because !== null)?.because ?? null;
}

/**
 * Of one selection's prices, without suspect ones if there are others: mean, spread, and how far the best is above the
 * mean, in percent.
 */
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
