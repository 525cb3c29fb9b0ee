// GET /v1/billing/portal (A 4.13; shapes 3.7).

import type { Billing } from '../../../accounts/billing/billing';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { ownAccount } from '../../kernel/endpoint/own-account';
import { PROVIDER_PER_MINUTE } from '../../kernel/limits/ip-limit';
import { BillingPortal } from './billing-schema';
import { presentPortal } from './present-billing';

export const billingPortal = endpoint<{ billing: Billing }>()({
  method: 'get',
  path: '/v1/billing/portal',
  operationId: 'billing_portal',
  tag: 'Billing',
  summary: 'Open the billing portal',
  description:
    'A page of Stripe on which the owner of the account sees invoices, changes the card and the plan, and cancels. An account that has never ' +
    'bought anything has none: `conflict`. Keys of a team may not call it.',
  auth: 'session_or_key',
  perMinutePerIp: PROVIDER_PER_MINUTE,
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  errors: ['conflict', 'plan_required'],
  ok: {
    description: 'The page.',
    schema: BillingPortal,
    example: {
      url: 'https://billing.stripe.com/p/session/example',
      expires_at: 1763694300,
      note: 'Open it in a browser: invoices, card, plan and cancellation are there.',
    },
  },
  async handler(call) {
    return { body: presentPortal(await call.services.billing.portal(ownAccount(call))) };
  },
});
