// What an exchange's market means for the race. Its states keep their own names (OPEN, SUSPENDED, CLOSED, in play).
// Never shown to customers.
import type { ExchangeMarket, ExchangeRunnerStatus } from '../race/feed-race';
import type { MarketStatus } from '../race/race';

/**
 * Out of the race. The runner's starting price is void, even if it was reconciled before the removal (Devonport R2, 1
 * March 2022).
 */
export const isRemoved = (status: ExchangeRunnerStatus): boolean => status === 'REMOVED' || status === 'REMOVED_VACANT';

/**
 * The exchange's market as a bookmaker would report it. Its own CLOSED comes with the settlement, minutes after the
 * off; pre-race betting ends when the market goes in play or is suspended with its starting prices reconciled, so that
 * counts as closed. The advertised time proves nothing: in 33 races of the saved files the off was 28.7 to 64.1 s after
 * it.
 *
 * @returns null for a market that has not opened
 */
export function raceMarketStatus({
  status,
  inPlay,
  bspReconciled,
}: Pick<ExchangeMarket, 'status' | 'inPlay' | 'bspReconciled'>): MarketStatus | null {
  if (status === 'INACTIVE') return null;
  if (inPlay || status === 'CLOSED' || (status === 'SUSPENDED' && bspReconciled)) return 'CLOSED';
  return status;
}
