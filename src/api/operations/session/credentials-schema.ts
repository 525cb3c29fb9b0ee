// Addresses, passwords and tokens of mailed links in requests, and sessions in responses.
import { Type } from '@sinclair/typebox';
import { MOST_ADDRESS_CHARACTERS } from '../../../accounts/email/address';
import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from '../../../accounts/passwords';
import { instant, named, nullable, oneOf, text } from '../../wire/vocabulary';

/** The service's `login` checks the form: the schema only limits it, so that both interfaces refuse alike. */
export const email = (description: string) =>
  Type.String({ format: 'email', maxLength: MOST_ADDRESS_CHARACTERS, description });

/** A new one. The service counts characters, the schema code units, of which there are at least as many. */
export const password = (description: string) =>
  Type.String({
    minLength: LEAST_PASSWORD_CHARACTERS,
    maxLength: 2 * MOST_PASSWORD_CHARACTERS,
    description: `${description} ${LEAST_PASSWORD_CHARACTERS} to ${MOST_PASSWORD_CHARACTERS} characters, of any kind; not the email address, and not easy to guess.`,
  });

const present = (description: string) =>
  Type.String({ minLength: 1, maxLength: 2 * MOST_PASSWORD_CHARACTERS, description });

const token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The `token` in the address of the mailed link.',
});

const body = <T extends Parameters<typeof Type.Object>[0]>(name: string, properties: T, example: object) =>
  named(name, Type.Object(properties, { additionalProperties: false, examples: [example] }));

const EXAMPLE_TOKEN = 'q8bV0mBr5cQ0m2mJ1J7u3Yf0m9w6qVxk0O1c4nZy2aE';

export const LoginRequest = body(
  'LoginRequest',
  { email: email('Address of the account.'), password: present('Its password.') },
  { email: 'jo@example.com', password: 'correct horse battery' },
);

export const EmailRequest = body(
  'EmailRequest',
  { email: email('Address of the account.') },
  { email: 'jo@example.com' },
);

export const LinkExchange = body('LinkExchange', { token }, { token: EXAMPLE_TOKEN });

export const PasswordReset = body(
  'PasswordReset',
  { token, password: password('The new password.') },
  { token: EXAMPLE_TOKEN, password: 'correct horse battery' },
);

export const PasswordChange = body(
  'PasswordChange',
  {
    current_password: Type.Optional(nullable(present('The present password; not needed if the account has none.'))),
    new_password: password('The new password.'),
  },
  { current_password: 'correct horse battery', new_password: 'staple of correct horses' },
);

export const MarketingConsent = body(
  'MarketingConsent',
  { marketing_opt_in: Type.Boolean({ description: 'Your consent to promotional mail.' }) },
  { marketing_opt_in: false },
);

export const SignedIn = named(
  'SignedIn',
  Type.Object({
    status: oneOf(['signed_in'], { description: 'The session is in the cookie of the response.' }),
    expires_at: instant('When the session ends, unless you sign out before.'),
  }),
);

export const LinkRedeemed = named(
  'LinkRedeemed',
  Type.Object({
    status: oneOf(['verified', 'signed_in', 'key_replaced'], {
      description:
        '`verified`: the account was created, and you are signed in; `signed_in`; `key_replaced`: the account has a new key.',
    }),
    expires_at: nullable(instant('When the session ends. Null: the link does not sign in.')),
    api_key: nullable(text('The new key. It is shown here and never again. Null: the link only signs in.')),
    previous_key_valid_until: nullable(instant('Until when the replaced key works. Null: none was replaced.')),
    message: text('The next step, as a sentence.'),
  }),
);

export const Accepted = named(
  'Accepted',
  Type.Object({
    status: oneOf(['accepted'], { description: 'The same for every address.' }),
    message: text('What happens next, as a sentence.'),
  }),
);
