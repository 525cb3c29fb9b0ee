// POST /v1/account/marketing (A 4.13).
import type { Accounts } from '../../../accounts/accounts';
import { AppError } from '../../../errors';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { PRIMARY_ONLY } from '../../kernel/endpoint/own-account';
import { MarketingChanged } from '../session/account-schema';
import { MarketingConsent } from '../session/credentials-schema';

export const accountMarketing = endpoint<{ accounts: Accounts }>()({
  method: 'post',
  path: '/v1/account/marketing',
  operationId: 'account_marketing',
  tag: 'Account',
  summary: 'Consent to promotional mail',
  description: 'Gives or withdraws the owner’s consent to promotional mail. A key of a team may not.',
  auth: 'session_or_key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  body: MarketingConsent,
  errors: ['conflict'],
  ok: { description: 'The consent is stored.', schema: MarketingChanged, example: { marketing_opt_in: false } },
  async handler({ account, caller, body, services: { accounts } }) {
    if (caller && !caller.isPrimary) throw new AppError('plan_required', PRIMARY_ONLY);
    await accounts.setMarketing(account!.accountId, body.marketing_opt_in);
    return { body: { marketing_opt_in: body.marketing_opt_in } };
  },
});
