// The passes that make up for lost events: every account with a customer is read again within the hour, one with an
// open checkout within seconds. An account is claimed before it is read, so that processes share the work; one that
// fails, or whose process dies, is due again later.
import { type BillingDeps, instantOf } from './deps';
import { readLevel } from './reading';
import { CHECKOUT_MS } from './reading-times';

export interface PassReport {
  readonly read: number;
  readonly failed: number;
}

const AT_ONCE = 200;
/** Well over what reading all of them takes. */
const CLAIMED_MS = 600_000;
/** The same where somebody waits. */
const CHECKOUT_CLAIMED_MS = 30_000;

/** Reads what is due, without open checkouts. Never rejects because of one account, as the next. */
export const billingPass = (deps: BillingDeps): Promise<PassReport> => pass(deps, false, CLAIMED_MS);

/** Reads what is due of accounts with an open checkout. */
export const checkoutPass = (deps: BillingDeps): Promise<PassReport> => pass(deps, true, CHECKOUT_CLAIMED_MS);

async function pass(deps: BillingDeps, hasCheckout: boolean, claimedMs: number): Promise<PassReport> {
  const nowMs = deps.wallMs();
  const openedAfter = instantOf(nowMs - CHECKOUT_MS);
  const nextAt = instantOf(nowMs + claimedMs);
  return readAll(
    deps,
    await deps.store.claimDue({ at: instantOf(nowMs), nextAt, most: AT_ONCE, openedAfter, hasCheckout }),
  );
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
