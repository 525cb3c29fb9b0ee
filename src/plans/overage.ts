// Overage (A 8, D39): credits beyond the allowance and the grants, at the plan's own price per 1,000 credits. Pure.
import { type Plan, planNamed } from './plans';

/**
 * A month's room besides grants: the allowance, and what may be billed beyond it if the account has switched overage
 * on.
 */
export const monthlyCredits = ({ plan, overage }: { readonly plan: Plan; readonly overage: boolean }) => ({
  allowance: plan.monthlyCredits,
  overage: overage ? overageCredits(plan) : 0,
});

/** The same by a stored plan name. Throws for an unknown one. */
export function monthlyCreditsOf({ plan: name, overage }: { readonly plan: string; readonly overage: boolean }) {
  const plan = planNamed(name);
  if (!plan) throw new Error(`an account has the unknown plan '${name}'`);
  return monthlyCredits({ plan, overage });
}

const overageCredits = ({ monthlyCredits, overageShare }: Plan): number => Math.floor(monthlyCredits * overageShare);

/** Whether the plan can be used beyond its allowance at all. */
export const hasOverage = (plan: Plan): boolean => overageCredits(plan) > 0;

/** Overage is off from so many days after an invoice of it that is not paid. */
export const OVERAGE_UNPAID_DAYS = 7;

/** Overage of one account and month on one plan. */
export interface PlanOverage {
  readonly plan: Plan;
  readonly credits: number;
}

/** A$ of 1,000 credits, not rounded; null where the price is by agreement. */
export const overagePrice = ({ monthlyPriceAud, monthlyCredits }: Plan): number | null =>
  monthlyPriceAud === null ? null : (1000 * monthlyPriceAud) / monthlyCredits;

/**
 * Whole cents of a month's invoice item, half a cent up: each credit at the price of the plan under which it was used.
 * Throws for a plan without a price, which never has overage.
 */
export function overageCents(used: readonly PlanOverage[]): number {
  const exact = used.reduce((sum, { plan: { id, monthlyPriceAud, monthlyCredits }, credits }) => {
    if (monthlyPriceAud === null) throw new Error(`the plan ${id} has no price for overage`);
    return sum + (credits * monthlyPriceAud * 100) / monthlyCredits;
  }, 0);
  return Math.max(0, Math.round(exact));
}
