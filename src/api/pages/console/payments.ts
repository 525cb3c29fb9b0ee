// Payments as the account page shows and starts them.
import type { Billing as Payments } from '../../../accounts/billing/billing';
import type { Referrals } from '../../../accounts/referral/referrals';
import type { Session } from '../../../accounts/visitor';
import { AppError } from '../../../errors';
import { hasOverage, overagePrice } from '../../../plans/overage';
import { INTERVALS, priceAud } from '../../../plans/prices';
import type { OverageStore } from '../../../store/credits/overage';
import type { Billing, OwnerConsole, ReferralView } from '../../../web/account/source';
import { type IpLimit, PROVIDER_PER_MINUTE } from '../../kernel/limits/ip-limit';
import { presentReferral } from '../../operations/billing/present-billing';

export interface PaymentDeps {
  readonly billing: Payments;
  readonly overage: Pick<OverageStore, 'overage'>;
  readonly referrals: Referrals;
  readonly ipLimit: Pick<IpLimit, 'take'>;
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
): Promise<ReferralView | null> {
  if (!billing.sells) return null;
  const stored = await referrals.read(accountId);
  const { link, credits_per_referral: creditsEach } = presentReferral(stored, baseUrl);
  const { payout, signedUp, paid, creditsEarned } = stored;
  return { link, creditsEach, payout, signedUp, paid, creditsEarned };
}

type PayingActions = Pick<OwnerConsole, 'upgradeUrl' | 'portalUrl' | 'cancelPlan' | 'setOverage' | 'choosePayout'>;

/** What calls the payment provider counts with the operations that do (`PROVIDER_PER_MINUTE`). */
export function payingActions(deps: Omit<PaymentDeps, 'overage'>, session: Session, network: string): PayingActions {
  const { billing, referrals, ipLimit } = deps;
  const takeCall = () => ipLimit.take('Billing', network, PROVIDER_PER_MINUTE);
  return {
    async upgradeUrl(plan, text) {
      const interval = INTERVALS.find((one) => one === text);
      if (!interval) throw new AppError('conflict', 'Choose a plan to change to.');
      await takeCall();
      return (await billing.upgradeLink(session, { plan, interval })).url;
    },
    async portalUrl() {
      await takeCall();
      return (await billing.portal(session)).url;
    },
    async cancelPlan() {
      await takeCall();
      await billing.cancel(session);
    },
    async setOverage(isOn) {
      await takeCall();
      await billing.setOverage(session, isOn);
    },
    async choosePayout(payout) {
      await referrals.choose(session.accountId, payout);
    },
  };
}
