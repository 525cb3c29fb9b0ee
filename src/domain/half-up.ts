// The only rounding of figures: half up by the decimal text, not by the binary number. Figures are rounded only for
// display (docs/settlement.md).

/** Part of a step by which binary arithmetic may fall short of a half. */
const NOISE = 5e-7;

/**
 * To the nearest of `1 / scale`, a half upwards: 4.425 to hundredths is 4.43, -4.425 is -4.42. Never -0. Right for
 * every decimal of up to 15 digits, six of them behind the last that is kept.
 */
export function halfUp(value: number, scale: number): number {
  const steps = value * scale;
  return Math.floor(steps + Math.abs(steps) * Number.EPSILON + (0.5 + NOISE)) / scale;
}

/**
 * Rounds money to the nearest cent, half a cent up, losses too, so that returns less the stake are the profit.
 * Settlement itself never rounds, so that sums over many bets stay exact.
 */
export const toCents = (amount: number): number => halfUp(amount, 100);
