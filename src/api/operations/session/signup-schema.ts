// POST /v1/signup (A 5.2; shapes 3.7).
import { Type } from '@sinclair/typebox';
import { PLANS } from '../../../plans/plans';
import { named, nullable, oneOf, text, words } from '../../wire/vocabulary';
import { email, password } from './credentials-schema';

/** Every plan with a price. */
const SIGNUP_PLANS = PLANS.filter(({ monthlyPriceAud }) => monthlyPriceAud !== null).map(({ id }) => id);

const optionalWords = (description: string, most: number) => Type.Optional(nullable(words(description, most)));

export const SignupRequest = named(
  'SignupRequest',
  Type.Object(
    {
      email: email('Where the link is mailed.'),
      plan: Type.Optional(
        oneOf(SIGNUP_PLANS, {
          description:
            'The plan that you want; without it `free`. Every account starts on `free`; another plan is bought after the address is confirmed.',
        }),
      ),
      label: Type.Optional(words('Name of the key; without one `My Key`.')),
      password: Type.Optional(
        nullable(password('For signing in with a password. Without one you sign in with mailed links.')),
      ),
      terms_accepted: Type.Boolean({
        const: true,
        description:
          'Your consent to the terms of use (/terms) and the privacy statement (/privacy): must be true. Their versions are stored.',
      }),
      marketing_opt_in: Type.Optional(
        Type.Boolean({ description: 'Your consent to promotional mail; without it none is sent.' }),
      ),
      use_case: optionalWords('What you build.', 100),
      use_case_note: optionalWords('More about it.', 1000),
      referral: optionalWords(
        'Code of the customer who recommended the service. It counts whichever device the link is opened on.',
        100,
      ),
    },
    { additionalProperties: false, examples: [{ email: 'jo@example.com', terms_accepted: true }] },
  ),
);

export const PendingSignup = named(
  'PendingSignup',
  Type.Object({
    status: oneOf(['pending_verification'], { description: 'A link was mailed to the address.' }),
    plan: text('The plan that the account starts on.'),
    requested_plan: text('The plan of the request.'),
    api_key: nullable(text('Always null: the page of the link shows the key.')),
    suggestion: nullable(text('The address that was perhaps meant, if this one looks mistyped.')),
    message: text('The next step, as a sentence.'),
  }),
);
