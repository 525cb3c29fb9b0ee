// GET /v1/referral (A 4.13, D39).

import type { Referrals } from '../../../accounts/referral/referrals';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { ownAccount } from '../../kernel/endpoint/own-account';
import { presentReferral } from './present-billing';
import { Referral } from './referral-schema';

export const referral = endpoint<{ baseUrl: string; referrals: Referrals }>()({
  method: 'get',
  path: '/v1/referral',
  operationId: 'referral',
  tag: 'Account',
  summary: 'Your referral link',
  description:
    'The code and link of the account, and what they earned. Both sides get credits when an account that signed up with the code pays its first ' +
    'invoice, once. A code does not count for an address of its own owner. Keys of a team may not call it.',
  auth: 'session_or_key',
  cost: flat(0),
  ofAccount: true,
  errors: ['plan_required'],
  ok: {
    description: 'The referral of the account.',
    schema: Referral,
    example: {
      code: 'k7mq2xw9pd',
      link: 'https://api.example.com/signup?referral=k7mq2xw9pd',
      payout: 'credits' as const,
      credits_per_referral: 5000,
      signed_up: 3,
      paid: 1,
      credits_earned: 5000,
    },
  },
  async handler(call) {
    const { referrals, baseUrl } = call.services;
    return { body: presentReferral(await referrals.read(ownAccount(call).accountId), baseUrl) };
  },
});
