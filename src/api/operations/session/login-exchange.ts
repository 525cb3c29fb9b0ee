// POST /v1/login/exchange (A 5.4): does for programs what the button on a mailed link's page does.
import type { Accounts } from '../../../accounts/accounts';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { LinkExchange, LinkRedeemed } from './credentials-schema';
import { redeemLink } from './redeem-link';

export const loginExchange = endpoint<{ accounts: Accounts; baseUrl: string }>()({
  method: 'post',
  path: '/v1/login/exchange',
  operationId: 'login_exchange',
  tag: 'Session',
  summary: 'Redeem a mailed link',
  description:
    'Redeems the link of a sign-up, of a sign-in or of a lost key, once. The link of a sign-up accepts the terms of use, creates the account and ' +
    'shows its key; that of a lost key shows a new one, and the one before it works for 24 hours more. A link for a new password is redeemed by ' +
    '/v1/password/reset. A used or expired link is `gone`, an unknown one `not_found`.',
  auth: 'none',
  cost: flat(0),
  ofAccount: true,
  body: LinkExchange,
  errors: ['not_found', 'gone', 'conflict'],
  ok: {
    description: 'The link is redeemed.',
    schema: LinkRedeemed,
    example: {
      status: 'signed_in' as const,
      expires_at: '2026-12-21T03:00:00.000Z',
      api_key: null,
      previous_key_valid_until: null,
      message: 'You are signed in.',
    },
  },
  async handler({ body, browser, services: { accounts, baseUrl } }) {
    return { body: await redeemLink(accounts, body.token, browser!, baseUrl) };
  },
});
