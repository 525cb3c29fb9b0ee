// GET /v1/billing/overage (A 4.13, A 8; shapes 11).

import type { Billing } from '../../../accounts/billing/billing';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { ownAccount } from '../../kernel/endpoint/own-account';
import { overageGate } from './overage-gate';
import { Overage } from './overage-schema';
import { presentOverage } from './present-billing';

export const overage = endpoint<{ billing: Billing }>()({
  method: 'get',
  path: '/v1/billing/overage',
  operationId: 'billing_overage',
  tag: 'Billing',
  summary: 'Overage of this month',
  description:
    'Whether calls go on beyond the allowance, at what price, and what this month would be invoiced now. Keys of a team may not call it.',
  auth: 'session_or_key',
  cost: flat(0),
  ofAccount: true,
  gate: overageGate,
  errors: ['plan_required'],
  ok: {
    description: 'The overage of the account.',
    schema: Overage,
    example: {
      enabled: true,
      plan: 'business',
      credits_per_month: 300_000,
      ceiling: 450_000,
      rate_per_1000_credits: 0.33,
      currency: 'AUD',
      period_start: '2026-11-01T00:00:00.000Z',
      overage_credits: 12_000,
      invoice_now: 3.96,
    },
  },
  async handler(call) {
    return { body: presentOverage(await call.services.billing.overage(ownAccount(call))) };
  },
});
