// How an amount of money is rounded where it is shown. Settlement itself never rounds, so that sums over many bets stay true.

/** To the nearest cent, half a cent up, so that what is paid less the stake is the profit. Less than a millionth of a cent is noise. */
export function toCents(amount: number): number {
  const cents = Math.round(Number((amount * 100).toFixed(6)));
  return cents === 0 ? 0 : cents / 100;
}
