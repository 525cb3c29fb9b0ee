// What an account buys, as it was last read from the payment provider, and what it may change to: for pages, which must
// not wait for the provider.
import { OVERAGE_UNPAID_DAYS } from '../../plans/overage';
import { type Plan, planNamed } from '../../plans/plans';
import { isUpgrade, OFFERS, type Offer, offerOf } from '../../plans/prices';
import type { BilledAccount } from '../../store/accounts/billing';
import { type BillingDeps, instantOf, type Payer } from './deps';
import { UNPAID_MS } from './reading';

interface StandingDeps {
  readonly store: Pick<BillingDeps['store'], 'account'>;
  readonly overageInvoices: Pick<BillingDeps['overageInvoices'], 'overdue'>;
}

export interface Standing {
  /** Whether the provider has invoices of the account. */
  readonly isCustomer: boolean;
  /** What gives the plan; null: nothing that is paid for. */
  readonly current: { readonly offer: Offer; readonly isCancelling: boolean; readonly paidUntil: string } | null;
  /**
   * A payment failed, and the provider tries again. `endsAt`: when the subscription gives no plan any more. Null: all
   * is paid.
   */
  readonly unpaid: { readonly since: string; readonly endsAt: string } | null;
  /** `YYYY-MM` of an invoice of overage for which overage stays off; null: there is none. */
  readonly unpaidOverage: string | null;
  /** A subscription that gives no plan, because it is not paid, is still invoiced. */
  readonly hasLapsed: boolean;
  /** The plan that an operator set: it stays when the subscription ends. Null: Free follows. */
  readonly agreed: Plan | null;
  readonly offers: readonly Offer[];
}

export async function standingOf(deps: StandingDeps, payer: Payer): Promise<Standing> {
  const { store, overageInvoices } = deps;
  const [account, overdue] = await Promise.all([
    store.account(payer.accountId),
    overageInvoices.overdue(payer.accountId, OVERAGE_UNPAID_DAYS),
  ]);
  const current = currentOf(account?.bought ?? null);
  return {
    isCustomer: account?.customerId != null,
    current,
    unpaid: unpaidOf(account?.unpaidSince ?? null),
    unpaidOverage: overdue?.slice(0, 7) ?? null,
    hasLapsed: account?.hasLapsed ?? false,
    agreed: agreedOf(account),
    offers: offersOf(payer.plan, current),
  };
}

const unpaidOf = (since: string | null): Standing['unpaid'] =>
  since === null ? null : { since, endsAt: instantOf(Date.parse(since) + UNPAID_MS) };

export const agreedOf = (account: BilledAccount | null): Plan | null => planNamed(account?.agreedPlan ?? '') ?? null;

function currentOf(bought: BilledAccount['bought']): Standing['current'] {
  const offer = bought && offerOf(bought.plan, bought.interval);
  return bought && offer ? { offer, isCancelling: bought.isCancelling, paidUntil: bought.paidUntil } : null;
}

/** None while a cancellation runs; beside a plan by agreement only higher ones. */
function offersOf(plan: Plan, current: Standing['current']): readonly Offer[] {
  if (current?.isCancelling) return [];
  if (current && plan.rank <= current.offer.plan.rank) return OFFERS.filter((one) => isUpgrade(current.offer, one));
  return OFFERS.filter((one) => one.plan.rank > plan.rank);
}
