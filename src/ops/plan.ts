// The plan that an operator names.
import { hasOverage } from '../plans/overage';
import { LEGACY_IDS, namesOf, PLAN_IDS, PLANS, planNamed } from '../plans/plans';
import { Mistake } from './command';

/** Stored names. */
export const PLANS_WITH_OVERAGE = namesOf(PLANS.filter(hasOverage));

/** For the help of each command that sets a plan. */
export const PLAN_IS = `PLAN is one of ${PLAN_IDS.join(', ')}, or a name that is no longer sold (${LEGACY_IDS.join(', ')}).`;

/** The rule, for the help of each command that sets a plan. */
export const PLAN_STANDS =
  'It stands whatever the account buys, until `accounts release`, or until its owner buys another plan or a new subscription.';

/** Names that are no longer sold may be set too: an account that comes from another service keeps what it bought. */
export function planOf(plan: string): string {
  if (planNamed(plan)) return plan;
  throw new Mistake(`'${plan}' is no plan. ${PLAN_IS}`);
}
