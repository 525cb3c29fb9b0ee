// The offer to a customer who is running out of credits: the plan that the measured use needs (A 7), as headers and in
// the problem.

import { AppError } from '../../../errors';
import { type Burn, type CreditMonth, type Upgrade, upgradeFor } from '../../../plans/credits';
import { monthlyCredits } from '../../../plans/overage';
import type { Plan } from '../../../plans/plans';
import type { MeteredCall, SetHeader } from './meter';

/** Where plans are described and changed. */
export const upgradeUrl = (baseUrl: string): string => `${baseUrl}/account`;

export interface Seller {
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether a request can start an upgrade; otherwise the operator changes plans (D15). */
  readonly sells: boolean;
}

interface Checkout {
  readonly method: 'POST';
  readonly endpoint: string;
  readonly body: { readonly plan: string };
  /** From a paid plan on, the remaining time of the plan counts. */
  readonly prorated: boolean;
}

/** The request that starts the upgrade; null: there is none. */
export function checkoutFor(now: Plan, { plan }: Upgrade, { baseUrl, sells }: Seller): Checkout | null {
  if (!sells) return null;
  const endpoint = `${baseUrl}/v1/billing/upgrade-link`;
  return { method: 'POST', endpoint, body: { plan: plan.id }, prorated: now.monthlyPriceAud !== 0 };
}

export function setUpgradeHeaders(setHeader: SetHeader, now: Plan, upgrade: Upgrade, seller: Seller): void {
  const { plan, covers, sizedFor } = upgrade;
  setHeader('X-Upgrade-Plan', plan.id);
  setHeader('X-Upgrade-Credits', String(plan.monthlyCredits));
  setHeader('X-Upgrade-Price-AUD', String(plan.monthlyPriceAud));
  setHeader('X-Upgrade-Url', upgradeUrl(seller.baseUrl));
  setHeader('X-Upgrade-Covers', covers ? 'full' : 'partial');
  if (sizedFor !== null) setHeader('X-Upgrade-Sized-For', String(sizedFor));
  const checkout = checkoutFor(now, upgrade, seller);
  if (!checkout) return;
  setHeader('X-Upgrade-Checkout-Method', checkout.method);
  setHeader('X-Upgrade-Checkout-Endpoint', checkout.endpoint);
  setHeader('X-Upgrade-Checkout-Body', JSON.stringify(checkout.body));
  setHeader('X-Upgrade-Prorated', String(checkout.prorated));
}

/** 402: what is missing, when it resets, and the plan that fixes it. */
export function outOfCredits(
  { caller, credits: cost }: MeteredCall,
  remaining: number,
  burn: Burn,
  { endMs }: CreditMonth,
  baseUrl: string,
): AppError {
  const { plan } = caller;
  const { overage } = monthlyCredits(caller);
  const beyond = overage > 0 ? `, and ${credits(overage)} of overage` : '';
  const resetAt = new Date(endMs).toISOString();
  const upgrade = upgradeFor(plan, burn);
  const detail = [
    `This call costs ${credits(cost)}, and ${remaining} of this month are left on the ${plan.title} plan (${credits(plan.monthlyCredits)} a month${beyond}).`,
    upgrade ? offerOf(upgrade) : 'No larger plan is on sale: ask us for an agreement.',
    `Credits reset at ${resetAt}.`,
  ];
  const extensions = upgrade ? { required_plan: upgrade.plan.id, upgrade_url: upgradeUrl(baseUrl) } : {};
  return new AppError('payment_required', detail.join(' '), extensions);
}

function offerOf({ plan, covers, sizedFor }: Upgrade): string {
  const offer = `The ${plan.title} plan has ${credits(plan.monthlyCredits)} for A$${plan.monthlyPriceAud} a month`;
  if (sizedFor === null) return `${offer}.`;
  const rate = `your rate of ${credits(sizedFor)} a month`;
  return covers ? `${offer}, enough for ${rate}.` : `${offer}, the most on sale; ${rate} is more.`;
}

const credits = (count: number): string => `${count.toLocaleString('en-AU')} ${count === 1 ? 'credit' : 'credits'}`;
