// POST /v1/billing/overage (A 4.13, A 8).

import type { Billing } from '../../../accounts/billing/billing';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { ownAccount } from '../../kernel/endpoint/own-account';
import { PROVIDER_PER_MINUTE } from '../../kernel/limits/ip-limit';
import { overageGate } from './overage-gate';
import { Overage, OverageChoice } from './overage-schema';
import { presentOverage } from './present-billing';

export const overageSwitch = endpoint<{ billing: Billing }>()({
  method: 'post',
  path: '/v1/billing/overage',
  operationId: 'billing_overage_switch',
  tag: 'Billing',
  summary: 'Switch overage on or off',
  description:
    'On: calls go on up to half of the allowance beyond it, and each month’s are invoiced after its end. Counts for the next call. ' +
    'Off: calls beyond the allowance stop at once, and what was used of it stays billed. ' +
    'It needs a subscription. Keys of a team may not call it.',
  auth: 'session_or_key',
  perMinutePerIp: PROVIDER_PER_MINUTE,
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  gate: overageGate,
  body: OverageChoice,
  errors: ['conflict', 'plan_required'],
  ok: {
    description: 'The overage of the account.',
    schema: Overage,
    example: {
      enabled: false,
      plan: 'platform',
      credits_per_month: 1_500_000,
      ceiling: 1_500_000,
      rate_per_1000_credits: 0.166,
      currency: 'AUD',
      period_start: '2026-11-01T00:00:00.000Z',
      overage_credits: 0,
      invoice_now: 0,
    },
  },
  async handler(call) {
    return { body: presentOverage(await call.services.billing.setOverage(ownAccount(call), call.body.enabled)) };
  },
});
