// POST /v1/billing/cancel (A 4.13, D39).

import type { Billing } from '../../../accounts/billing/billing';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { ownAccount } from '../../kernel/endpoint/own-account';
import { PROVIDER_PER_MINUTE } from '../../kernel/limits/ip-limit';
import { Cancelled } from './billing-schema';
import { presentCancellation } from './present-billing';

export const cancel = endpoint<{ billing: Billing }>()({
  method: 'post',
  path: '/v1/billing/cancel',
  operationId: 'billing_cancel',
  tag: 'Billing',
  summary: 'Cancel the subscription',
  description:
    'Ends the subscription with the period that is paid; until then the plan stays. One that is unpaid for too long to give its plan ends with the ' +
    'period that was invoiced last. Cancelling again changes nothing; without a subscription it is a `conflict`. A planned change to a lower plan is dropped. The billing portal takes a ' +
    'cancellation back. Keys of a team may not call it.',
  auth: 'session_or_key',
  perMinutePerIp: PROVIDER_PER_MINUTE,
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  errors: ['conflict', 'plan_required'],
  ok: {
    description: 'The subscription ends with its paid period.',
    schema: Cancelled,
    example: {
      status: 'cancelled' as const,
      plan: 'plus',
      interval: 'month' as const,
      ends_at: '2026-12-14T03:00:00.000Z',
      note: 'The Plus plan stays until then; the account is on the Free plan afterwards.',
    },
  },
  async handler(call) {
    return { body: presentCancellation(await call.services.billing.cancel(ownAccount(call))) };
  },
});
