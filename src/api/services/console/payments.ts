// Payments as the account page shows and starts them.
import type { Billing as Payments } from '../../../accounts/billing/billing';
import type { Referrals } from '../../../accounts/referral/referrals';
import { AppError } from '../../../errors';
import { hasOverage, overagePrice } from '../../../plans/overage';
import { INTERVALS, priceAud } from '../../../plans/prices';
import type { OverageStore } from '../../../store/overage';
import type { Billing, Referral, SignedIn } from '../../../web/account/source';
import type { Session } from '../../access/session/session';
import { presentReferral } from '../../present/billing';

export interface PaymentDeps {
  readonly billing: Payments;
  readonly overage: Pick<OverageStore, 'overage'>;
  readonly referrals: Referrals;
  readonly baseUrl: string;
}

/** Null: this service takes no payments. `period`: first day of a UTC month. */
export async function billingCard(
  { billing, overage }: PaymentDeps,
  session: Session,
  period: string,
): Promise<Billing | null> {
  if (!billing.sells) return null;
  const { isCustomer, current, hasLapsed, agreed, offers } = await billing.standing(session);
  const { plan } = session;
  const isOn = hasOverage(plan) && ((await overage.overage(session.accountId, period))?.on ?? false);
  return {
    offers: offers.map((offer) => ({
      plan: offer.plan.id,
      title: offer.plan.title,
      interval: offer.interval,
      priceAud: priceAud(offer),
    })),
    hasPortal: isCustomer,
    canCancel: hasLapsed || (current !== null && !current.isCancelling),
    hasLapsed,
    agreedTitle: agreed?.title ?? null,
    endsMs: current?.isCancelling ? Date.parse(current.paidUntil) : null,
    overage: hasOverage(plan) ? { isOn, pct: 100 * plan.overageShare, audPerThousand: overagePrice(plan)! } : null,
  };
}

/** Null: this service takes no payments, with which rewards come. */
export async function referralCard(
  { billing, referrals, baseUrl }: PaymentDeps,
  { accountId }: Session,
): Promise<Referral | null> {
  if (!billing.sells) return null;
  const stored = await referrals.read(accountId);
  const { link, credits_per_referral: creditsEach } = presentReferral(stored, baseUrl);
  const { payout, signedUp, paid, creditsEarned } = stored;
  return { link, creditsEach, payout, signedUp, paid, creditsEarned };
}

type PayingActions = Pick<SignedIn, 'upgradeUrl' | 'portalUrl' | 'cancelPlan' | 'setOverage' | 'choosePayout'>;

export const payingActions = ({ billing, referrals }: PaymentDeps, session: Session): PayingActions => ({
  async upgradeUrl(plan, text) {
    const interval = INTERVALS.find((one) => one === text);
    if (!interval) throw new AppError('conflict', 'Choose a plan to change to.');
    return (await billing.upgradeLink(session, { plan, interval })).url;
  },
  portalUrl: async () => (await billing.portal(session)).url,
  async cancelPlan() {
    await billing.cancel(session);
  },
  async setOverage(isOn) {
    await billing.setOverage(session, isOn);
  },
  async choosePayout(payout) {
    await referrals.choose(session.accountId, payout);
  },
});
