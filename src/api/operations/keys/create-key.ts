// POST /v1/keys (A 1, D14, D38; shapes 3.7). Free. The contract has its parameters in the query; sent in a body, no
// person's address appears in logs.

import { Type } from '@sinclair/typebox';
import type { OpenAccount } from '../../../accounts/keys/open-account';
import { PLAN_IDS, planNamed } from '../../../plans/plans';
import { endpoint, flat } from '../../kernel/endpoint/endpoint';
import { mustBe, named, oneOf, words } from '../../wire/vocabulary';
import { IssuedKey } from './issued-key-schema';

const EMAIL = "^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+$";

const ORDER = {
  label: Type.Optional(mustBe('what the key is for, in your words', words('What the key is for. Default: `My Key`.'))),
  plan: Type.Optional(named('PlanId', oneOf(PLAN_IDS, { description: 'Plan of the account. Default: `free`.' }))),
  email: Type.Optional(
    Type.String({
      maxLength: 254,
      pattern: EMAIL,
      'x-must-be': 'an e-mail address',
      description:
        'Address of the owner. An address that has an account is a 409; on the Free plan another spelling of its mailbox too.',
    }),
  ),
};

const NewKeyRequest = named(
  'NewKeyRequest',
  Type.Object(ORDER, {
    additionalProperties: false,
    examples: [{ label: 'Acme Racing', plan: 'business', email: 'owner@acme.example' }],
  }),
);

export const createKey = endpoint<{ openAccount: OpenAccount }>()({
  method: 'post',
  path: '/v1/keys',
  operationId: 'create_key',
  tag: 'Keys',
  summary: 'Open an account for a customer',
  description:
    'Opens an account with a plan and a primary key, which is shown once. With `email` the account has an owner, who signs in by a mailed link: you ' +
    'vouch that the address is the owner’s and that the owner has accepted the terms. A mailbox has one Free account, under whichever spelling of its ' +
    'address, and a throw-away mailbox has none. Makes customers’ keys only. Send the members in the body: addresses of requests are logged on their ' +
    'way. They are read from the query too; where both have one, that of the body counts.',
  auth: 'internal',
  cost: flat(0),
  ofAccount: true,
  query: ORDER,
  body: NewKeyRequest,
  bodyOptional: true,
  errors: ['conflict', 'disposable_address'],
  ok: {
    description: 'The key, which is shown this once.',
    schema: IssuedKey,
    example: {
      key: 'pe_live_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE00',
      plan: 'business',
      label: 'Acme Racing',
      credits_limit: 300_000,
    },
  },
  async handler({ query, body, services: { openAccount } }) {
    const { label = 'My Key', plan = 'free', email = null } = { ...query, ...body };
    const { key } = await openAccount({ label, plan, email });
    return { body: { key, plan, label, credits_limit: planNamed(plan)!.monthlyCredits } };
  },
});
