// What an account pays, in the shapes of its responses.
import type { Static } from '@sinclair/typebox';
import type { Cancellation } from '../../../accounts/billing/billing';
import type { OverageView } from '../../../accounts/billing/overage';
import type { UpgradeLink as Upgrade } from '../../../accounts/billing/upgrade';
import { referralLink } from '../../../accounts/pages';
import type { HostedPage } from '../../../payments/payments';
import { REFERRAL_CREDITS } from '../../../plans/plans';
import type { Referral as StoredReferral } from '../../../store/accounts/referrals';
import type { BillingPortal, Cancelled, UpgradeLink, UpgradePage } from './billing-schema';
import type { Overage } from './overage-schema';
import type { Referral } from './referral-schema';

export const presentPortal = ({ url, expiresAt }: HostedPage): Static<typeof BillingPortal> => ({
  url,
  expires_at: expiresAt,
  note: 'Open it in a browser: invoices, card, plan and cancellation are there.',
});

export const presentPage = ({ url, expiresAt }: HostedPage): Static<typeof UpgradePage> => ({
  url,
  expires_at: expiresAt,
});

const CHANGED =
  'The page shows what is due now: the new price less what is left of the paid period. The new limit counts at once.';
const BEGUN =
  'The page of Stripe takes the payment for the time until renews_at; whole intervals are paid from then on. The plan, with the credits of the whole month, counts once it is paid.';
const CARRIED =
  'Nothing is paid now: the time until renews_at costs less than A$0.50 and is added to the next invoice. The plan, with the credits of the whole month, counts once the page of Stripe is confirmed.';

export const presentUpgradeLink = ({
  url,
  expiresAt,
  offer,
  priceAud,
  first,
}: Upgrade): Static<typeof UpgradeLink> => ({
  url,
  expires_at: expiresAt,
  plan: offer.plan.id,
  interval: offer.interval,
  price_aud: priceAud,
  prorated: first === null,
  note: first === null ? CHANGED : first.dueCents > 0 ? BEGUN : CARRIED,
  ...(first && { due_now_aud: first.dueCents / 100, renews_at: new Date(first.untilMs).toISOString() }),
});

export const presentCancellation = (of: Cancellation): Static<typeof Cancelled> => ({
  status: 'cancelled',
  plan: of.plan.id,
  interval: of.interval,
  ends_at: of.endsAt,
  note: noteOf(of),
});

function noteOf({ plan, hasLapsed, agreed }: Cancellation): string {
  if (hasLapsed)
    return `The ${plan.title} subscription gives no plan, because it is not paid. It ends then, and no invoice follows.`;
  if (agreed)
    return `The ${plan.title} subscription ends then; the account stays on the ${agreed.title} plan by agreement.`;
  return `The ${plan.title} plan stays until then; the account is on the Free plan afterwards.`;
}

/** Ten-thousandths of a dollar: Platform's price is 0.166. */
const RATE_DIGITS = 4;

export const presentOverage = (of: OverageView): Static<typeof Overage> => ({
  enabled: of.isOn,
  plan: of.plan.id,
  credits_per_month: of.plan.monthlyCredits,
  ceiling: of.ceiling,
  rate_per_1000_credits: Number(of.audPer1000.toFixed(RATE_DIGITS)),
  currency: 'AUD',
  period_start: of.periodStart,
  overage_credits: of.credits,
  invoice_now: of.cents / 100,
});

export const presentReferral = (
  { code, payout, signedUp, paid, creditsEarned }: StoredReferral,
  baseUrl: string,
): Static<typeof Referral> => ({
  code,
  link: referralLink(baseUrl, code),
  payout,
  credits_per_referral: REFERRAL_CREDITS,
  signed_up: signedUp,
  paid,
  credits_earned: creditsEarned,
});
