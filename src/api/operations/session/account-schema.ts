// GET /v1/account and the operations that change it (A 4.13).
import { Type } from '@sinclair/typebox';
import { instant, named, nullable, oneOf, text, yes } from '../../wire/vocabulary';

export const AccountView = named(
  'Account',
  Type.Object({
    account_id: Type.String({ format: 'uuid', description: 'Stays for the life of the account.' }),
    plan: text('Its plan.'),
    created_at: instant('When it was created.'),
    email: nullable(text('Address of the owner. Null for a key, which may be a colleague’s, and without an owner.')),
    email_masked: nullable(text('The same, masked. Null: an operator made the account, and it has no owner.')),
    has_password: nullable(yes('Whether the owner can sign in with a password. Null: there is no owner.')),
    marketing_opt_in: nullable(yes('Consent to promotional mail. Null: there is no owner.')),
    marketing_changed_at: nullable(instant('When it was last changed. Null: never.')),
    terms_accepted_at: nullable(instant('When the terms were accepted. Null: there is no owner.')),
    terms_version: Type.Optional(
      nullable(text('The version of the terms that was accepted then, as /terms names it. Null: it was not stored.')),
    ),
    privacy_version: Type.Optional(nullable(text('The same of the privacy statement, at /privacy.'))),
  }),
);

export const MarketingChanged = named(
  'MarketingChanged',
  Type.Object({ marketing_opt_in: yes('As it is stored now.') }),
);

export const PasswordChanged = named(
  'PasswordChanged',
  Type.Object({ status: oneOf(['password_changed'], { description: 'Every other device is signed out.' }) }),
);
