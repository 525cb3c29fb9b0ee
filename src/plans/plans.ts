// The plan table (D10): price, allowance, overage and horizon of each plan. No other file repeats a figure of it.

export interface Plan {
  readonly id: PlanId;
  readonly title: string;
  /** Order of access: a plan includes every lower one. */
  readonly rank: number;
  /** A$ a month; null by agreement. A year costs ten months. */
  readonly monthlyPriceAud: number | null;
  readonly monthlyCredits: number;
  readonly requestsPerMinute: number;
  /** How far ahead events, next-to-go and best-odds may look (A 4.1). */
  readonly horizonHours: number;
  /** Share of the allowance that may be used beyond it, for money (A 8); 0: none. */
  readonly overageShare: number;
}

export const PLAN_IDS = ['free', 'hobby', 'standard', 'plus', 'business', 'platform', 'scale', 'enterprise'] as const;
export type PlanId = (typeof PLAN_IDS)[number];

const row = (
  id: PlanId,
  title: string,
  monthlyPriceAud: number | null,
  monthlyCredits: number,
  requestsPerMinute: number,
  horizonHours: number,
  overageShare = 0,
): Plan => ({
  id,
  title,
  rank: PLAN_IDS.indexOf(id),
  monthlyPriceAud,
  monthlyCredits,
  requestsPerMinute,
  horizonHours,
  overageShare,
});

export const PLANS: readonly Plan[] = [
  row('free', 'Free', 0, 3_000, 30, 24),
  row('hobby', 'Hobby', 9, 7_500, 60, 24),
  row('standard', 'Standard', 29, 75_000, 200, 48),
  row('plus', 'Plus', 49, 140_000, 500, 168),
  row('business', 'Business', 99, 300_000, 750, 168, 0.5),
  row('platform', 'Platform', 249, 1_500_000, 1_500, 168, 0.5),
  row('scale', 'Scale', 599, 5_000_000, 3_000, 168),
  row('enterprise', 'Enterprise', null, 20_000_000, 6_000, 168),
];

/** The plan of every new account. */
export const FREE = PLANS[0]!;

/** Plans that are no longer sold, and the plan that each counts as (D10). */
const LEGACY: Readonly<Record<string, PlanId>> = { starter: 'standard', pro: 'business', growth: 'plus' };

export const LEGACY_IDS = Object.keys(LEGACY);

const BY_ID: ReadonlyMap<string, Plan> = new Map(PLANS.map((plan) => [plan.id, plan]));

/** Every stored name that counts as one of these plans. */
export const namesOf = (plans: readonly Plan[]): readonly string[] =>
  [...BY_ID.keys(), ...LEGACY_IDS].filter((name) => plans.includes(planNamed(name)!));

/** The plan for a key's stored plan name; null for an unknown name. */
export function planNamed(name: string): Plan | null {
  return BY_ID.get(LEGACY[name] ?? name) ?? null;
}

/** Whether `plan` may do what needs `least`. */
export function reaches(plan: Plan, least: PlanId): boolean {
  return plan.rank >= PLAN_IDS.indexOf(least);
}

/** An unpaid plan ends this long after the first unpaid invoice, if the payment provider has not ended it before. */
export const UNPAID_DAYS = 30;

/** What both sides of a referral get (D39). */
export const REFERRAL_CREDITS = 5_000;

/** Betslip links are for Plus and above (A 2.3, A 2.4). */
export const seesBetslip = (plan: Plan): boolean => reaches(plan, 'plus');

/** The cheapest plan whose forward horizon covers `hours`; null when none does. */
export function planForHorizon(hours: number): Plan | null {
  return PLANS.find((plan) => plan.horizonHours >= hours) ?? null;
}

/** The furthest that any plan looks ahead, in hours. */
export const MAX_HORIZON_HOURS = Math.max(...PLANS.map((plan) => plan.horizonHours));
