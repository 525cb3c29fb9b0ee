// POST /v1/signup (A 5.2; shapes 3.7; D40). Creates only a mailed link.
import type { Accounts } from '../../../accounts/accounts';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { keepSignup, visitorOf } from '../../kernel/session/visitor';
import { presentSignup } from './present-account-owner';
import { PendingSignup, SignupRequest } from './signup-schema';

export const signup = endpoint<{ accounts: Accounts; baseUrl: string }>()({
  method: 'post',
  path: '/v1/signup',
  operationId: 'signup',
  tag: 'Signup',
  summary: 'Sign up',
  description:
    'Mails a link to the address. The page that it opens has a button, which creates the account and shows its key, once; nothing is created ' +
    'before. The link works for 24 hours. The answer is the same for an address that has an account: its mail offers to sign in. A password counts only if the link is ' +
    'used in the browser that signed up. An address whose domain cannot receive mail is refused, with the one that was probably meant, and one of ' +
    'a throw-away mailbox too. A mailbox has one account: another spelling of its address is answered like the address. Each network may open ' +
    'five accounts a day.',
  auth: 'none',
  cost: flat(0),
  ofAccount: true,
  body: SignupRequest,
  errors: ['undeliverable_address', 'disposable_address'],
  ok: {
    description: 'The link was mailed.',
    schema: PendingSignup,
    example: presentSignup('free', null),
  },
  async handler({ body, browser, services: { accounts, baseUrl } }) {
    const form = {
      email: body.email,
      password: body.password ?? null,
      plan: body.plan ?? 'free',
      label: body.label ?? 'My Key',
      marketingOptIn: body.marketing_opt_in ?? false,
      useCase: body.use_case ?? null,
      useCaseNote: body.use_case_note ?? null,
      referral: body.referral ?? null,
    };
    const pending = await accounts.signUp(form, visitorOf(browser!, baseUrl));
    keepSignup(browser!, baseUrl, pending);
    return { body: presentSignup(form.plan, pending.suggestion) };
  },
});
