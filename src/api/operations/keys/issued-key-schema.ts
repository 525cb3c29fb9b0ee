// POST /v1/keys (A 1, D14; shapes 3.7).
import { Type } from '@sinclair/typebox';
import { count, named, text } from '../../wire/vocabulary';

export const IssuedKey = named(
  'IssuedKey',
  Type.Object({
    key: text('The key. It is stored nowhere and cannot be shown again.'),
    plan: text('Plan of the account.'),
    label: text('Label of the key.'),
    credits_limit: count('Credits of the plan per month.'),
  }),
);
