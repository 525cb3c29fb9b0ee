// POST /v1/login (A 5.4).
import type { Accounts } from '../../../accounts/accounts';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { keepSignedIn, visitorOf } from '../../kernel/session/visitor';
import { LoginRequest, SignedIn } from './credentials-schema';
import { presentSignedIn } from './present-account-owner';

export const login = endpoint<{ accounts: Accounts; baseUrl: string }>()({
  method: 'post',
  path: '/v1/login',
  operationId: 'login',
  tag: 'Session',
  summary: 'Sign in with a password',
  description:
    'Starts a console session of 30 days, in a cookie that scripts cannot read. A wrong address and a wrong password are answered alike. After ' +
    'many wrong passwords it is a 429 for a while; a browser in which the account was signed in before, and mailed links, go on working.',
  auth: 'none',
  cost: flat(0),
  ofAccount: true,
  body: LoginRequest,
  errors: ['unauthorized'],
  ok: {
    description: 'You are signed in.',
    schema: SignedIn,
    example: { status: 'signed_in' as const, expires_at: '2026-12-21T03:00:00.000Z' },
  },
  async handler({ body, browser, services: { accounts, baseUrl } }) {
    const signedIn = await accounts.login(body, visitorOf(browser!, baseUrl));
    keepSignedIn(browser!, baseUrl, signedIn);
    return { body: presentSignedIn(signedIn) };
  },
});
