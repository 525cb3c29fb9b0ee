// GET and POST /v1/referral (A 4.13).
import { Type } from '@sinclair/typebox';
import { count, link, named, oneOf, text } from '../../wire/vocabulary';

const PAYOUTS = ['credits', 'none'] as const;

const ReferralPayout = named(
  'ReferralPayout',
  oneOf(PAYOUTS, {
    description:
      'What your side gets: `credits`, or `none` if you may not accept a reward. The other side always gets its credits.',
  }),
);

export const ReferralChoice = named(
  'ReferralChoice',
  Type.Object(
    { payout: Type.Unsafe<(typeof PAYOUTS)[number]>({ ...oneOf(PAYOUTS), 'x-shown-as': ReferralPayout }) },
    { additionalProperties: false, examples: [{ payout: 'credits' }] },
  ),
);

export const Referral = named(
  'Referral',
  Type.Object({
    code: text('Your code, sent as `referral` at signup.'),
    link: link('A link with your code.'),
    payout: ReferralPayout,
    credits_per_referral: count('Credits for each side, once the other account has paid its first invoice.'),
    signed_up: count('Accounts that signed up with your code.'),
    paid: count('Of them, those that have paid.'),
    credits_earned: count('Credits that you got. They are used after your allowance and do not expire.'),
  }),
);
