// POST /v1/billing/upgrade-link (A 4.13, D39).

import type { Billing } from '../../../accounts/billing/billing';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { ownAccount } from '../../kernel/endpoint/own-account';
import { PROVIDER_PER_MINUTE } from '../../kernel/limits/ip-limit';
import { UpgradeLink, UpgradeLinkRequest } from './billing-schema';
import { presentUpgradeLink } from './present-billing';

export const upgradeLink = endpoint<{ billing: Billing }>()({
  method: 'post',
  path: '/v1/billing/upgrade-link',
  operationId: 'billing_upgrade_link',
  tag: 'Billing',
  summary: 'Get a link to an upgrade',
  description:
    'A signed link, good for an hour, to the page of Stripe on which the upgrade is paid: a new subscription, or a change in place with ' +
    'proration. A new subscription is paid by UTC months, as credits are counted: now for the time until the next first of a month (by the year: ' +
    'the first of this month, a year later), and the credits of the first month are whole. Nothing is bought before a person confirms it there. A lower plan, or months instead of years, is no upgrade (`conflict`): the ' +
    'billing portal offers it from the next paid period on. A cancelled subscription, and one whose change is planned, is a `conflict` too: take that ' +
    'back in the portal first. Keys of a team may not call it.',
  auth: 'session_or_key',
  perMinutePerIp: PROVIDER_PER_MINUTE,
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  body: UpgradeLinkRequest,
  errors: ['conflict', 'plan_required'],
  ok: {
    description: 'The link.',
    schema: UpgradeLink,
    example: {
      url: 'https://api.example.com/v1/billing/upgrade?account=4b1f6a2e-8f7d-4c52-9b52-0d7c5a3e9f11&plan=plus&interval=month&expires=1763697600&signature=example',
      expires_at: 1763697600,
      plan: 'plus',
      interval: 'month',
      price_aud: 49,
      prorated: false,
      note: 'The page of Stripe takes the payment for the time until renews_at; whole intervals are paid from then on. The plan, with the credits of the whole month, counts once it is paid.',
      due_now_aud: 16.13,
      renews_at: '2026-12-01T00:00:00.000Z',
    },
  },
  async handler(call) {
    const { plan, interval = 'month' } = call.body;
    return { body: presentUpgradeLink(await call.services.billing.upgradeLink(ownAccount(call), { plan, interval })) };
  },
});
