// What an account buys, as it was last read from the payment provider, and what it may change to: for pages, which must
// not wait for the provider.
import { type Plan, planNamed } from '../../plans/plans';
import { type FirstPayment, firstPayment, isUpgrade, OFFERS, type Offer, offerOf } from '../../plans/prices';
import type { BilledAccount } from '../../store/accounts/billing';
import { type BillingDeps, instantOf, type Payer } from './deps';
import { UNPAID_MS } from './reading';
import { overdueOverage } from './unpaid-overage';

interface StandingDeps extends Pick<BillingDeps, 'wallMs'> {
  readonly store: Pick<BillingDeps['store'], 'account'>;
  readonly overageInvoices: Pick<BillingDeps['overageInvoices'], 'nowMs' | 'overdue'>;
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
  /** The month (`YYYY-MM`) for which overage stays off: its invoice is not paid, or there is none. Null: none. */
  readonly unpaidOverage: { readonly month: string; readonly isInvoiced: boolean } | null;
  /** A subscription that gives no plan, because it is not paid, is still invoiced. */
  readonly hasLapsed: boolean;
  /** The plan that an operator set: it stays when the subscription ends. Null: Free follows. */
  readonly agreed: Plan | null;
  readonly offers: readonly Offered[];
}

interface Offered extends Offer {
  /** Of a new subscription, if it is paid now; null: the one that exists is changed in place. */
  readonly first: FirstPayment | null;
}

export async function standingOf(deps: StandingDeps, payer: Payer): Promise<Standing> {
  const [account, overdue] = await Promise.all([
    deps.store.account(payer.accountId),
    overdueOverage(deps, payer.accountId),
  ]);
  const current = currentOf(account?.bought ?? null);
  return {
    isCustomer: account?.customerId != null,
    current,
    unpaid: unpaidOf(account?.unpaidSince ?? null),
    unpaidOverage: overdue && { month: overdue.period.slice(0, 7), isInvoiced: overdue.isInvoiced },
    hasLapsed: account?.hasLapsed ?? false,
    agreed: agreedOf(account),
    offers: offersOf(payer.plan, current).map((offer) => ({
      ...offer,
      first: current === null ? firstPayment(offer, deps.wallMs()) : null,
    })),
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
