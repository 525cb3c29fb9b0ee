// Closes the months of the ledger that are old enough to become sums (D41), if the audit finds nothing: sums of wrong
// lines could not be corrected. Their days are closed first, because heads are made of lines.
import { ApplicationFailure } from '@temporalio/common';
import { type CloseDaysDeps, closeCreditDays } from './close-credit-days';
import type { ActivityDeps } from './deps';

type CloseDeps = CloseDaysDeps & {
  readonly stores: { readonly credits: Pick<ActivityDeps['stores']['credits'], 'audit' | 'close'> };
};

export interface CreditsClosed {
  readonly lines: number;
}

const MOST_LOGGED = 20;

export async function closeCredits(deps: CloseDeps, alive?: () => void): Promise<CreditsClosed> {
  const { stores, log } = deps;
  const faults = await stores.credits.audit();
  if (faults.length > 0) {
    const fields = { count: faults.length, faults: faults.slice(0, MOST_LOGGED) };
    log.error(fields, 'balances differ from the ledger: no month was closed');
    throw ApplicationFailure.nonRetryable(`credits audit finds ${faults.length} differences`, 'LedgerDiffers');
  }
  await closeCreditDays(deps, alive);
  return { lines: await stores.credits.close() };
}
