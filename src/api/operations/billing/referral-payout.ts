// POST /v1/referral (A 4.13): what the account's own side gets.

import type { Referrals } from '../../../accounts/referral/referrals';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { ownAccount } from '../../kernel/endpoint/own-account';
import { presentReferral } from './present-billing';
import { Referral, ReferralChoice } from './referral-schema';

export const referralPayout = endpoint<{ baseUrl: string; referrals: Referrals }>()({
  method: 'post',
  path: '/v1/referral',
  operationId: 'referral_payout',
  tag: 'Account',
  summary: 'Choose what your referrals earn',
  description:
    'Counts for rewards from now on. Who may not accept a reward chooses `none`. Keys of a team may not call it.',
  auth: 'session_or_key',
  cost: flat(0),
  ofAccount: true,
  currentKeyOnly: true,
  body: ReferralChoice,
  errors: ['plan_required'],
  ok: {
    description: 'The referral of the account.',
    schema: Referral,
    example: {
      code: 'k7mq2xw9pd',
      link: 'https://api.example.com/signup?referral=k7mq2xw9pd',
      payout: 'none' as const,
      credits_per_referral: 5000,
      signed_up: 3,
      paid: 1,
      credits_earned: 5000,
    },
  },
  async handler(call) {
    const { referrals, baseUrl } = call.services;
    return { body: presentReferral(await referrals.choose(ownAccount(call).accountId, call.body.payout), baseUrl) };
  },
});
