// Restricts an operation to some plans: other callers get a free 403 that names a sufficient plan (A 7).
import { AppError } from '../../errors';
import { planNamed } from '../../plans/plans';
import { mayUse, RIGHTS, type RightName } from '../../plans/rights';
import type { Gate } from '../endpoint';

export function planGate(name: RightName): Gate<unknown> {
  const { title, least, ...more } = RIGHTS[name];
  const plan = planNamed(least)!;
  const kept = 'kept' in more ? more.kept : null;
  const also = kept
    ? ` ${planNamed(kept.plan)!.title} keys issued before ${kept.issuedBefore.slice(0, 10)} keep access.`
    : '';
  return {
    text: `Requires the ${plan.title} plan or above.${also}`,
    errors: ['plan_required'],
    headers: {},
    check({ caller }) {
      if (mayUse(name, caller.plan, caller.issuedAt)) return;
      const detail = `${title} requires the ${plan.title} plan or above; this key is on the ${caller.plan.title} plan.${also}`;
      throw new AppError('plan_required', detail, { required_plan: plan.id });
    },
  };
}
