// Restricts overage to the plans that have it. A session's account is judged by the service, which refuses in the same
// way.
import { OVERAGE_PLANS, requireOverage } from '../../../accounts/billing/overage';
import type { Gate } from '../../kernel/endpoint/endpoint';

export const overageGate: Gate<unknown> = {
  text: OVERAGE_PLANS,
  errors: ['plan_required'],
  headers: {},
  check: ({ caller }) => requireOverage(caller.plan),
};
