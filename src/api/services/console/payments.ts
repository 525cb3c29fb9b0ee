// Payments as the account page shows and starts them.
import type { Billing as Payments } from '../../../accounts/billing/billing';
import { AppError } from '../../../errors';
import { hasOverage, overagePrice } from '../../../plans/overage';
import { INTERVALS, priceAud } from '../../../plans/prices';
import type { OverageStore } from '../../../store/overage';
import type { Billing, SignedIn } from '../../../web/account/source';
import type { Session } from '../../access/session/session';

export interface PaymentDeps {
  readonly billing: Payments;
  readonly overage: Pick<OverageStore, 'overage'>;
}

/** Null: this service takes no payments. `period`: first day of a UTC month. */
export async function billingCard(
  { billing, overage }: PaymentDeps,
  session: Session,
  period: string,
): Promise<Billing | null> {
  if (!billing.sells) return null;
  const { isCustomer, current, offers } = await billing.standing(session);
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
    canCancel: current !== null && !current.isCancelling,
    endsMs: current?.isCancelling ? Date.parse(current.paidUntil) : null,
    overage: hasOverage(plan) ? { isOn, pct: 100 * plan.overageShare, audPerThousand: overagePrice(plan)! } : null,
  };
}

type PayingActions = Pick<SignedIn, 'upgradeUrl' | 'portalUrl' | 'cancelPlan' | 'setOverage'>;

export const payingActions = ({ billing }: PaymentDeps, session: Session): PayingActions => ({
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
});
