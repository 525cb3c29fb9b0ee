// The plan that an operator names.
import { PLAN_IDS } from '../plans/plans';
import { Mistake } from './command';

/** The rule, for the help of each command that sets a plan. */
export const PLAN_STANDS =
  'It stands whatever the account buys, until `accounts release`, or until its owner buys another plan or a new subscription.';

export function planOf(plan: string): string {
  if ((PLAN_IDS as readonly string[]).includes(plan)) return plan;
  throw new Mistake(`'${plan}' is no plan: one of ${PLAN_IDS.join(', ')}.`);
}
