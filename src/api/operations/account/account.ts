// GET /v1/account (A 4.13).
import type { Accounts } from '../../../accounts/accounts';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { AccountView } from '../session/account-schema';
import { presentAccount } from '../session/present-account-owner';

export const account = endpoint<{ accounts: Accounts }>()({
  method: 'get',
  path: '/v1/account',
  operationId: 'account',
  tag: 'Account',
  summary: 'The account and its owner',
  description: 'The plan, the owner’s address and what the owner agreed to. A key sees the address masked.',
  auth: 'session_or_key',
  cost: flat(0),
  ofAccount: true,
  ok: {
    description: 'The account.',
    schema: AccountView,
    example: {
      account_id: '5f0c3a9e-6f4c-4b6e-9a53-3d9e4f6a7b10',
      plan: 'free',
      created_at: '2026-11-21T03:00:00.000Z',
      email: 'jo@example.com',
      email_masked: 'j…@example.com',
      has_password: true,
      marketing_opt_in: false,
      marketing_changed_at: null,
      terms_accepted_at: '2026-11-21T02:58:12.000Z',
      terms_version: '2026-11-29',
      privacy_version: '2026-11-29',
    },
  },
  async handler({ account: own, caller, services: { accounts } }) {
    return { body: presentAccount(await accounts.account(own!.accountId), caller !== null) };
  },
});
