// What the market did with a runner, in one word (A 2.6 rule 4). A description, not a prediction.
import type { Breadth } from './breadth';

export const SIGNALS = ['strong_firm', 'firm', 'steady', 'drift', 'strong_drift', 'insufficient'] as const;
export type Signal = (typeof SIGNALS)[number];

/** Percent of the price: the smallest strong move, and the smallest that counts as a move. */
const STRONG_PCT = 15;
const MOVE_PCT = 7;
/** Share of the books with history, in tenths, so that no fraction is rounded. */
const STRONG_TENTHS = 6;
const MOVE_TENTHS = 5;
const LEAST_BOOKS = 3;
/** A consensus is exact to about 1e-12: a move this close to a boundary counts as on it. */
const EXACT_PCT = 1e-9;

export const SIGNAL_RULE =
  'Uses move_from_t60_pct, unrounded, and the books with two or more captured prices (with_history). strong_firm: at or below ' +
  '-15, and firming at least 0.6 x with_history. firm: at or below -7, and firming at least 0.5 x with_history. drift and ' +
  'strong_drift: the same at or above 7 and 15, with drifting. insufficient: no consensus at T-60 or now, or a move of 7 ' +
  'percent or more with fewer than 3 books with history. steady: everything else.';

/** `moveFromT60Pct` is unrounded; null if there is no consensus at T-60 or now. */
export function signalOf(moveFromT60Pct: number | null, breadth: Omit<Breadth, 'quoting'>): Signal {
  if (moveFromT60Pct === null) return 'insufficient';
  const size = Math.abs(moveFromT60Pct) + EXACT_PCT;
  if (size < MOVE_PCT) return 'steady';
  if (breadth.withHistory < LEAST_BOOKS) return 'insufficient';
  const firms = moveFromT60Pct < 0;
  const tenths = 10 * (firms ? breadth.firming : breadth.drifting);
  if (size >= STRONG_PCT && tenths >= STRONG_TENTHS * breadth.withHistory)
    return firms ? 'strong_firm' : 'strong_drift';
  if (tenths >= MOVE_TENTHS * breadth.withHistory) return firms ? 'firm' : 'drift';
  return 'steady';
}
