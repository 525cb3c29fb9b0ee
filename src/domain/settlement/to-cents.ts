// How an amount of money is rounded where it is shown. Settlement itself never rounds, so that sums over many bets stay true.
import { halfUp } from '../half-up';

/** To the nearest cent, half a cent up, of a loss too: so what is paid less the stake is the profit. */
export const toCents = (amount: number): number => halfUp(amount, 100);
