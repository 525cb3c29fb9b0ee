// The one way a figure is rounded: half up, as its decimal text is read, not as the binary number happens to lie. Nothing is rounded before it
// is shown (docs/settlement.md).

/** Of a step. So much below a half is what binary arithmetic leaves of one. */
const NOISE = 5e-7;

/**
 * To the nearest of `1 / scale`, a half upwards: 4.425 to hundredths is 4.43, -4.425 is -4.42. Never -0. Right for every decimal of up to 15
 * digits, six of them behind the last that is kept.
 */
export function halfUp(value: number, scale: number): number {
  const steps = value * scale;
  return Math.floor(steps + Math.abs(steps) * Number.EPSILON + (0.5 + NOISE)) / scale;
}

/**
 * An amount of money to the nearest cent, half a cent up, of a loss too: so what is paid less the stake is the profit. Settlement itself never
 * rounds, so that sums over many bets stay true.
 */
export const toCents = (amount: number): number => halfUp(amount, 100);
