// The true chance of each runner at an instant: its strength, its drift until the jump, and noise.
// A pure function of time; every book reads it late and with its own opinion (books/prices.ts).

import type { Runner } from '../race';
import { smoothNoise } from '../random';

/** The drift happens within this span before the first advertised start. */
const DRIFT_MS = 80 * 60_000;
const SLOW_NOISE = { periodMs: 7 * 60_000, size: 0.055 };
const QUICK_NOISE = { periodMs: 50_000, size: 0.022 };

export interface Truth {
  readonly seed: number;
  readonly runners: readonly Runner[];
  /** The first advertised start, epoch ms. */
  readonly firstStartMs: number;
}

/**
 * Winning probabilities at `atMs`, in the order of `runners`; 0 for those that `isIn` excludes, the others sum to 1.
 * With the whole drift they are also the chances from which the result is drawn, so closing prices are honest.
 */
export function chances(truth: Truth, atMs: number, isIn: (index: number) => boolean): number[] {
  const learnt = Math.min(1, Math.max(0, (atMs - truth.firstStartMs) / DRIFT_MS + 1));
  const eased = learnt * learnt * (3 - 2 * learnt);
  const weights = truth.runners.map((runner, i) =>
    isIn(i) ? Math.exp(runner.strength + runner.drift * eased + noise(truth.seed, i, atMs)) : 0,
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

function noise(seed: number, runner: number, atMs: number): number {
  return (
    SLOW_NOISE.size * smoothNoise(seed, 2 * runner, atMs / SLOW_NOISE.periodMs) +
    QUICK_NOISE.size * smoothNoise(seed, 2 * runner + 1, atMs / QUICK_NOISE.periodMs)
  );
}

/**
 * Each runner's chance of a place in the first `places`: one common exponent raises the winning chances until they sum
 * to the number of places. The result is within a few percent of Harville and a hundred times cheaper.
 */
export function placeChances(win: readonly number[], places: number): number[] {
  const runners = win.filter((chance) => chance > 0).length;
  if (runners <= places) return win.map((chance) => (chance > 0 ? 1 : 0));
  // Newton's method from the left of the root of a rising concave function: it never overshoots.
  let exponent = places;
  for (let i = 0; i < 8; i++) {
    let total = 0;
    let slope = 0;
    for (const chance of win) {
      const misses = (1 - chance) ** exponent;
      total += 1 - misses;
      slope -= misses * Math.log(1 - chance);
    }
    exponent += (places - total) / slope;
  }
  return win.map((chance) => 1 - (1 - chance) ** exponent);
}

/** The number of places that a field of `runners` pays: three from eight, two from five, otherwise the winner only. */
export function placesPaid(runners: number): number {
  if (runners >= 8) return 3;
  return runners >= 5 ? 2 : 1;
}
