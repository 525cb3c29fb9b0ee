// Plans as the account page shows them, from the plan table. Never names what no operation has yet.
import { LIMITS } from '../../../plans/limits';
import { PLANS, type Plan, seesBetslip } from '../../../plans/plans';
import { accessTo, RIGHTS, type RightName } from '../../../plans/rights';
import type { NextPlan, PlanCard } from '../../../web/account/source';

export const planCard = (plan: Plan): PlanCard => ({
  id: plan.id,
  title: plan.title,
  monthlyPriceAud: plan.monthlyPriceAud,
  monthlyCredits: plan.monthlyCredits,
  requestsPerMinute: plan.requestsPerMinute,
  horizonHours: plan.horizonHours,
  keys: LIMITS[plan.id].keys,
});

/** `served`: the rights that operations ask for. `issuedAt`: of the account's key. */
export function nextPlan(plan: Plan, issuedAt: string, served: ReadonlySet<RightName>): NextPlan | null {
  const next = PLANS.find(({ rank }) => rank === plan.rank + 1);
  if (!next) return null;
  const days = (name: RightName, of: Plan): number => {
    const access = accessTo(name, of, issuedAt);
    return access === null ? 0 : (access.days ?? Infinity);
  };
  const rights = [...served].filter((name) => days(name, next) > days(name, plan));
  const betslip = seesBetslip(next) && !seesBetslip(plan) ? ['Betslip links'] : [];
  return { ...planCard(next), adds: [...rights.map((name) => RIGHTS[name].title), ...betslip] };
}
