// POST /v1/login/request (A 5.4).
import type { Accounts } from '../../../accounts/accounts';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { visitorOf } from '../../kernel/session/visitor';
import { Accepted, EmailRequest } from './credentials-schema';

const ACCEPTED = {
  status: 'accepted' as const,
  message:
    'A mail is on its way. Its link works for 30 minutes, once. Look for earlier mails too: few are sent in a short time.',
};

export const loginRequest = endpoint<{ accounts: Accounts; baseUrl: string }>()({
  method: 'post',
  path: '/v1/login/request',
  operationId: 'login_request',
  tag: 'Session',
  summary: 'Mail a link to sign in',
  description: 'Mails a link that signs in, once, within 30 minutes. The answer is the same for every address.',
  auth: 'none',
  cost: flat(0),
  ofAccount: true,
  body: EmailRequest,
  ok: { description: 'A mail is on its way.', schema: Accepted, example: ACCEPTED },
  async handler({ body, browser, services: { accounts, baseUrl } }) {
    await accounts.askLogin(body.email, visitorOf(browser!, baseUrl));
    return { body: ACCEPTED };
  },
});
