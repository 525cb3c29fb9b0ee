// The pass that makes up for lost events: every account with a customer is read again within the hour. An account is
// claimed before it is read, so that processes share the work; one that fails, or whose process dies, is due again
// minutes later.
import { type BillingDeps, instantOf } from './deps';
import { readLevel } from './reading';

export interface PassReport {
  readonly read: number;
  readonly failed: number;
}

const AT_ONCE = 200;
/** Well over what reading all of them takes. */
const CLAIMED_MS = 600_000;

/** Reads what is due. Never rejects because of one account. */
export async function billingPass(deps: BillingDeps): Promise<PassReport> {
  const nowMs = deps.wallMs();
  const due = await deps.store.claimDue({ at: instantOf(nowMs), nextAt: instantOf(nowMs + CLAIMED_MS), most: AT_ONCE });
  return readAll(deps, due);
}

/** Reads every account now, for an operator. */
export const reconcile = async (deps: BillingDeps): Promise<PassReport> => readAll(deps, await deps.store.customers());

async function readAll(deps: BillingDeps, accounts: readonly string[]): Promise<PassReport> {
  let failed = 0;
  for (const accountId of accounts) {
    await readLevel(deps, accountId).catch((err: unknown) => {
      failed++;
      deps.log.warn({ err, accountId }, 'what an account buys was not read');
    });
  }
  return { read: accounts.length - failed, failed };
}
