// GET /v1/billing/upgrade (A 4.13): where a signed link leads. Changes nothing: mail scanners open links.

import { Type } from '@sinclair/typebox';
import type { Billing } from '../../../accounts/billing/billing';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { PROVIDER_PER_MINUTE } from '../../kernel/limits/ip-limit';
import { choice } from '../../wire/parameters';
import { BillingInterval, PaidPlan, UpgradePage } from './billing-schema';
import { presentPage } from './present-billing';

export const upgrade = endpoint<{ billing: Billing }>()({
  method: 'get',
  path: '/v1/billing/upgrade',
  operationId: 'billing_upgrade',
  tag: 'Billing',
  summary: 'Follow a link to an upgrade',
  description:
    'The link of `POST /v1/billing/upgrade-link`: leads a browser to the page of Stripe on which the upgrade is paid. It needs no key, and ' +
    'changes nothing. A link that was changed is a 404, one that has expired is `gone`.',
  auth: 'signed_link',
  perMinutePerIp: PROVIDER_PER_MINUTE,
  cost: flat(0),
  ofAccount: true,
  query: {
    account: Type.String({ format: 'uuid', description: 'Account that the link was made for.' }),
    plan: choice(PaidPlan, { description: 'Plan to buy.' }),
    interval: choice(BillingInterval, { description: 'How it is paid.' }),
    expires: Type.Integer({ minimum: 0, description: 'Until when the link works, in Unix seconds.' }),
    signature: Type.String({
      minLength: 1,
      maxLength: 100,
      'x-must-be': 'the signature of the link',
      description: 'Proves that the service made the link.',
    }),
    redirect: Type.Boolean({
      default: true,
      description: '`false`: the address of the page is returned as JSON, for a program that opens it itself.',
    }),
  },
  errors: ['conflict', 'gone', 'not_found'],
  redirects: 'Leads to the page of Stripe. Not with `redirect=false`.',
  ok: {
    description: 'The page, with `redirect=false`.',
    schema: UpgradePage,
    example: { url: 'https://checkout.stripe.com/c/pay/example', expires_at: 1763780400 },
  },
  async handler({ query: { redirect, ...wish }, services: { billing } }) {
    const page = await billing.openUpgrade(wish);
    return redirect ? { location: page.url } : { body: presentPage(page) };
  },
});
