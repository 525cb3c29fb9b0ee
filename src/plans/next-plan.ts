// The plan above another one, and what it adds. Never names a right that no operation uses. Pure.
import { PLANS, type Plan, seesBetslip } from './plans';
import { accessTo, RIGHTS, type RightName } from './rights';

export interface NextPlan {
  readonly plan: Plan;
  /** What it allows and the current plan does not, as titles. */
  readonly adds: readonly string[];
}

/** `served`: the rights that operations use. `issuedAt`: of the account's key. Null: there is none above. */
export function nextPlan(plan: Plan, issuedAt: string, served: ReadonlySet<RightName>): NextPlan | null {
  const next = PLANS.find(({ rank }) => rank === plan.rank + 1);
  if (!next) return null;
  const days = (name: RightName, of: Plan): number => {
    const access = accessTo(name, of, issuedAt);
    return access === null ? 0 : (access.days ?? Infinity);
  };
  const rights = [...served].filter((name) => days(name, next) > days(name, plan));
  const betslip = seesBetslip(next) && !seesBetslip(plan) ? ['Betslip links'] : [];
  return { plan: next, adds: [...rights.map((name) => RIGHTS[name].title), ...betslip] };
}
