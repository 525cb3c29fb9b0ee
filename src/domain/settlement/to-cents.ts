// How an amount of money is rounded where it is shown. Settlement itself never rounds, so that sums over many bets stay true.

/** To the nearest cent, half a cent away from zero. Floating-point noise beyond the twelfth digit is not mistaken for a fraction. */
export function toCents(amount: number): number {
  const cents = Math.round(Number((Math.abs(amount) * 100).toPrecision(12)));
  return cents === 0 ? 0 : (Math.sign(amount) * cents) / 100;
}
