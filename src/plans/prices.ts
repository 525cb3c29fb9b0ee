// What a plan costs by the interval that it is paid for, and the name under which Stripe has that price. Pure.
import { PLANS, type Plan } from './plans';

export const INTERVALS = ['month', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

/** A plan that can be bought. */
export type PricedPlan = Plan & { readonly monthlyPriceAud: number };

export const PRICED_PLANS: readonly PricedPlan[] = PLANS.filter(
  (plan): plan is PricedPlan => plan.monthlyPriceAud !== null && plan.monthlyPriceAud > 0,
);

/** A plan and how it is paid. */
export interface Offer {
  readonly plan: PricedPlan;
  readonly interval: Interval;
}

/** A year costs ten months (A 8). */
const YEAR_IN_MONTHS = 10;
const MONTHS_OF_YEAR = 12;

/** A$ for one interval. */
export const priceAud = ({ plan, interval }: Offer): number =>
  plan.monthlyPriceAud * (interval === 'year' ? YEAR_IN_MONTHS : 1);

/** What begins a subscription: the time until the first of a month (UTC), when whole intervals begin, as credits do. */
export interface FirstPayment {
  /** As the provider prorates it, by the second. */
  readonly cents: number;
  /** What of it is paid now: all, or nothing if it is too little to be collected and goes to the next invoice. */
  readonly dueCents: number;
  readonly untilMs: number;
}

/** Stripe collects no less at once in A$: it stands on the customer's balance until the next invoice. */
const LEAST_CENTS = 50;

/** By the month until the next first; by the year until the first of the same month a year later. */
export function firstPayment(offer: Offer, nowMs: number): FirstPayment {
  const at = new Date(nowMs);
  const months = offer.interval === 'year' ? MONTHS_OF_YEAR : 1;
  const startMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
  const untilMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1);
  const cents = Math.round((100 * priceAud(offer) * (untilMs - nowMs)) / (untilMs - startMs));
  return { cents, dueCents: cents < LEAST_CENTS ? 0 : cents, untilMs };
}

/** `plus_monthly`: Stripe's lookup key of the price. */
export const lookupKey = ({ plan, interval }: Offer): string =>
  `${plan.id}_${interval === 'year' ? 'yearly' : 'monthly'}`;

/** Null for a plan that is not sold, or not any more. */
export function offerOf(planName: string, interval: Interval): Offer | null {
  const plan = PRICED_PLANS.find(({ id }) => id === planName);
  return plan ? { plan, interval } : null;
}

export const OFFERS: readonly Offer[] = PRICED_PLANS.flatMap((plan) =>
  INTERVALS.map((interval) => ({ plan, interval })),
);

/**
 * Whether a subscriber may change from one to the other at once: to a higher plan, or from months to years. Everything
 * else starts with the next paid period (D39).
 */
export function isUpgrade(from: Offer, to: Offer): boolean {
  if (from.interval === 'year' && to.interval === 'month') return false;
  return to.plan.rank > from.plan.rank || (to.plan.rank === from.plan.rank && to.interval !== from.interval);
}
