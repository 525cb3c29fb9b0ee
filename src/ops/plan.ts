// The plan that an operator names.
import { PLAN_IDS } from '../plans/plans';
import { Mistake } from './command';

export function planOf(plan: string): string {
  if ((PLAN_IDS as readonly string[]).includes(plan)) return plan;
  throw new Mistake(`'${plan}' is no plan: one of ${PLAN_IDS.join(', ')}.`);
}
