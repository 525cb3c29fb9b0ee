// POST /v1/account/password (A 4.13).
import type { Accounts } from '../../../accounts/accounts';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { visitorOf } from '../../kernel/session/visitor';
import { PasswordChanged } from '../session/account-schema';
import { PasswordChange } from '../session/credentials-schema';

export const accountPassword = endpoint<{ accounts: Accounts; baseUrl: string }>()({
  method: 'post',
  path: '/v1/account/password',
  operationId: 'account_password',
  tag: 'Account',
  summary: 'Set or change the password',
  description:
    'Sets the password of the account. If it has one, that is needed. Every other device is signed out, and every link that was mailed before ends.',
  auth: 'session',
  cost: flat(0),
  ofAccount: true,
  body: PasswordChange,
  errors: ['conflict'],
  ok: {
    description: 'The password is set.',
    schema: PasswordChanged,
    example: { status: 'password_changed' as const },
  },
  async handler({ account, body, browser, services: { accounts, baseUrl } }) {
    const change = {
      accountId: account!.accountId,
      current: body.current_password ?? null,
      password: body.new_password,
    };
    await accounts.setPassword(change, visitorOf(browser!, baseUrl));
    return { body: { status: 'password_changed' as const } };
  },
});
