// How far an opportunity may be trusted: a figure made of four that are listed beside it.
import { halfUp } from '../../half-up';
import { type Moves, STALE_AFTER_SECONDS } from '../match';
import { FAR_APART } from './chances';

export interface Leg {
  readonly bookmaker: string;
  readonly ageSeconds: number;
  /** From the median chance of the other books, 0 to 1. */
  readonly distance: number;
  readonly moves: Moves;
}

export interface Confidence {
  /** 0 to 1, to hundredths. */
  readonly score: number;
  /** Fresh and not suspect, in this market of the match. */
  readonly books: number;
  readonly legs: readonly (Omit<Leg, 'moves'> & { readonly movedShare: number })[];
}

/** Counted to every book, so that one without history is not taken for a steady one. */
const PRIOR: Moves = { offered: 10, moved: 1 };

/**
 * The product of four figures, each 0 to 1, of the worst leg where legs differ:
 *
 * - books: 1 - 0.5^(books - 1). Two books 0.5, three 0.75, four 0.875.
 * - age: 1 - seconds / 3600. A fresh price 1, one at the threshold of stale 0.5.
 * - distance: 1 - distance / 0.2. A leg at the median of the others 1, one at which it would be suspect 0.5.
 * - moves: 1 - (moved + 1) / (offered + 10).
 */
export function confidenceOf(books: number, legs: readonly Leg[]): Confidence {
  const shown = legs.map(({ moves, ...leg }) => ({ ...leg, movedShare: movedShareOf(moves) }));
  const worst = (of: (leg: (typeof shown)[number]) => number): number => Math.max(...shown.map(of));
  const score =
    (1 - 0.5 ** (books - 1)) *
    (1 - Math.min(1, worst(({ ageSeconds }) => ageSeconds) / (2 * STALE_AFTER_SECONDS))) *
    (1 - Math.min(1, worst(({ distance }) => distance) / (2 * FAR_APART))) *
    (1 - worst(({ movedShare }) => movedShare));
  return { score: halfUp(score, 100), books, legs: shown };
}

const movedShareOf = ({ offered, moved }: Moves): number => (moved + PRIOR.moved) / (offered + PRIOR.offered);
