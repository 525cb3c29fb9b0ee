// Rounds computed figures, at the edge only: prices and percentages to 2 decimals, probabilities to 12, so that they
// still sum to 1 within a billionth. Halves round away from 0.
import { halfUp } from '../../domain/half-up';

function to(decimals: number): <T extends number | null>(value: T) => T {
  const scale = 10 ** decimals;
  const rounded = (value: number): number => (value < 0 ? 0 - halfUp(-value, scale) : halfUp(value, scale));
  return <T extends number | null>(value: T) => (value === null ? null : rounded(value)) as T;
}

export const roundPrice = to(2);
export const roundPct = to(2);
export const roundProbability = to(12);

/** To tenths, because polls are seconds apart; down, so that no lead is shown longer than it was. */
export const roundSeconds = (seconds: number): number => Math.floor(seconds * 10) / 10;
