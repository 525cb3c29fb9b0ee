// Restricts an operation to some plans: other callers get a free 403 that names a sufficient plan (A 7).
import { AppError, type ProblemExtensions } from '../../../errors';
import { type Plan, planNamed } from '../../../plans/plans';
import { mayUse, RIGHTS, type Right, type RightName } from '../../../plans/rights';
import type { Gate } from './endpoint';
import { upgradeUrl } from './upgrade';

export function planGate(name: RightName): Gate<unknown> {
  const { title, least } = RIGHTS[name];
  const plan = planNamed(least)!;
  const also = exceptionsOf(RIGHTS[name]);
  return {
    right: name,
    text: `Requires the ${plan.title} plan or above.${also}`,
    errors: ['plan_required'],
    headers: {},
    check({ caller, baseUrl }) {
      if (!mayUse(name, caller.plan, caller.issuedAt)) throw planRequired(title, plan, caller.plan, baseUrl, also);
    },
  };
}

/** `least`: the cheapest plan that has the right. `also`: other keys that have it. */
export function planRequired(
  title: string,
  least: Plan,
  has: Plan,
  baseUrl: string,
  also = '',
  more: ProblemExtensions = {},
): AppError {
  const what = title[0]!.toLowerCase() + title.slice(1);
  const detail = `The ${has.title} plan of this key does not include ${what}; the ${least.title} plan and above do.${also}`;
  return new AppError('plan_required', detail, { required_plan: least.id, upgrade_url: upgradeUrl(baseUrl), ...more });
}

/** The keys of lower plans that have it too. */
export function exceptionsOf({ window, kept }: Right): string {
  const some = window ? ` ${planNamed(window.plan)!.title} keys see the last ${window.days} days.` : '';
  if (!kept) return some;
  return `${some} ${planNamed(kept.plan)!.title} keys issued before ${kept.issuedBefore.slice(0, 10)} keep access.`;
}
