// An owner comes back from the page on which the plan was paid: what the account buys is read at once, whatever the
// provider's events do.
import { type BillingDeps, instantOf, type Payer } from './deps';
import { readLevel } from './reading';

/**
 * `paid`: the plan counts, and nothing of it is unpaid. `paying`: it does not yet. Null: the checkout is not the
 * account's, or was not completed, or another return was seconds ago.
 */
export type Returned = 'paid' | 'paying' | null;

const MOST_OFTEN_MS = 5_000;
const CHECKOUT_ID = /^cs_\w{1,200}$/;

/** Never rejects because of the provider: who has paid is not shown an error. */
export async function returned(deps: BillingDeps, { accountId }: Payer, checkoutId: string): Promise<Returned> {
  const { payments, store, log, wallMs } = deps;
  if (!CHECKOUT_ID.test(checkoutId)) return null;
  const nowMs = wallMs();
  const claim = { accountId, at: instantOf(nowMs), unlessSince: instantOf(nowMs - MOST_OFTEN_MS) };
  if (!(await store.claimReturn(claim))) return null;
  try {
    const checkout = await payments.checkoutBy(checkoutId);
    if (checkout?.accountId !== accountId || !checkout.isComplete) return null;
    const current = await readLevel(deps, accountId);
    return current?.unpaidSince === null ? 'paid' : 'paying';
  } catch (err) {
    log.warn({ err, accountId }, 'what an account buys was not read on return');
    return 'paying';
  }
}
