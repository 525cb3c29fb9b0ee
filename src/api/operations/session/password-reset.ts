// POST /v1/password/reset (A 5.4).
import type { Accounts } from '../../../accounts/accounts';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { keepSignedIn, visitorOf } from '../../kernel/session/visitor';
import { PasswordReset, SignedIn } from './credentials-schema';
import { presentSignedIn } from './present-account-owner';

export const passwordReset = endpoint<{ accounts: Accounts; baseUrl: string }>()({
  method: 'post',
  path: '/v1/password/reset',
  operationId: 'password_reset',
  tag: 'Session',
  summary: 'Set a new password with a mailed link',
  description:
    'Sets the password, signs this browser in and every other device out, and ends every link that was mailed before. Keys keep working.',
  auth: 'none',
  cost: flat(0),
  ofAccount: true,
  body: PasswordReset,
  errors: ['not_found', 'gone'],
  ok: {
    description: 'The password is set, and you are signed in.',
    schema: SignedIn,
    example: { status: 'signed_in' as const, expires_at: '2026-12-21T03:00:00.000Z' },
  },
  async handler({ body, browser, services: { accounts, baseUrl } }) {
    const signedIn = await accounts.reset(body.token, body.password, visitorOf(browser!, baseUrl));
    keepSignedIn(browser!, baseUrl, signedIn);
    return { body: presentSignedIn(signedIn) };
  },
});
