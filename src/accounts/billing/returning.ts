// An owner comes back from a page of the payment provider: what the account buys is read at once, whatever the
// provider's events do.
import { type BillingDeps, instantOf, type Payer } from './deps';
import { readLevel } from './reading';
import { readUnpaidOverage } from './unpaid-overage';

/**
 * `paid`: the plan counts, and nothing of it is unpaid. `paying`: it does not yet. Null: the checkout is not the
 * account's, or was not completed, or another return was seconds ago.
 */
export type Returned = 'paid' | 'paying' | null;

const MOST_OFTEN_MS = 5_000;
const CHECKOUT_ID = /^cs_\w{1,200}$/;

/** From a page on which a plan is bought. Never rejects because of the provider: who has paid is not shown an error. */
export async function returned(deps: BillingDeps, { accountId }: Payer, checkoutId: string): Promise<Returned> {
  const { payments } = deps;
  if (!CHECKOUT_ID.test(checkoutId) || !(await isFirst(deps, accountId))) return null;
  try {
    const checkout = await payments.checkoutBy(checkoutId);
    if (checkout?.accountId !== accountId || !checkout.isComplete) return null;
    const current = await readLevel(deps, accountId);
    return current?.unpaidSince === null ? 'paid' : 'paying';
  } catch (err) {
    unread(deps, accountId, err);
    return 'paying';
  }
}

/** From a page on which invoices are paid and plans change. Never rejects because of the provider. */
export async function cameBack(deps: BillingDeps, { accountId }: Payer): Promise<void> {
  if (!(await isFirst(deps, accountId))) return;
  try {
    await readLevel(deps, accountId);
    await readUnpaidOverage(deps, accountId);
  } catch (err) {
    unread(deps, accountId, err);
  }
}

/** Since some seconds, of returns from all pages. */
function isFirst({ store, wallMs }: BillingDeps, accountId: string): Promise<boolean> {
  const nowMs = wallMs();
  return store.claimReturn({ accountId, at: instantOf(nowMs), unlessSince: instantOf(nowMs - MOST_OFTEN_MS) });
}

const unread = ({ log }: BillingDeps, accountId: string, err: unknown): void =>
  log.warn({ err, accountId }, 'what an account buys was not read on return');
