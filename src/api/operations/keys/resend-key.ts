// POST /v1/keys/resend (A 5.3; D38): only a hash of a key is stored, so its mail has a link that issues a replacement.
import type { Accounts } from '../../../accounts/accounts';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { visitorOf } from '../../kernel/session/visitor';
import { Accepted, EmailRequest } from '../session/credentials-schema';

const ACCEPTED = {
  status: 'accepted' as const,
  message:
    'A mail is on its way. Its link shows a new key, once, within an hour. Look for earlier mails too: few are sent in a short time.',
};

export const resendKey = endpoint<{ accounts: Accounts; baseUrl: string }>()({
  method: 'post',
  path: '/v1/keys/resend',
  operationId: 'resend_key',
  tag: 'Keys',
  summary: 'Mail a link to a new key',
  description:
    'For a lost key. Mails a link to the address of the account; the page that it opens shows a new key, once, and the key before it works for ' +
    '24 hours more. Keys are stored as a hash, so the lost one cannot be sent. The link works once, for an hour. The answer is the same for every address.',
  auth: 'none',
  cost: flat(0),
  ofAccount: true,
  body: EmailRequest,
  ok: { status: 202, description: 'A mail is on its way.', schema: Accepted, example: ACCEPTED },
  async handler({ body, browser, services: { accounts, baseUrl } }) {
    await accounts.askKeyReplacement(body.email, visitorOf(browser!, baseUrl));
    return { body: ACCEPTED };
  },
});
