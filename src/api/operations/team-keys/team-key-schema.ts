// The keys of an account (A 5.3), each with its usage line.
import { Type } from '@sinclair/typebox';
import { count, instant, named, nullable, text, whole, words, yes } from '../../wire/vocabulary';
import { AddressList, storedWhitelist } from '../keys/ip-whitelist-schema';
import { KeyScopes, storedScopes } from '../keys/scopes-schema';

const ofKey = {
  key_id: text('Names the key; stays when the key is replaced.'),
  key_hint: text('The last four characters of the key.'),
  label: text('What the key is for, in your words.'),
  is_primary: yes('The key of the account itself, which manages the others.'),
  ip_whitelist: storedWhitelist,
  scopes: storedScopes,
  requests_per_minute: whole('The rate limit, which each key has for itself.'),
  key_version: whole('1, and one more for each replacement of the key.'),
  created_at: instant('When the key was issued.'),
  rotated_at: nullable(instant('When it was last replaced.')),
  previous_key_valid_until: nullable(instant('Until when the key that it replaced works. Null: no longer.')),
  calls_used: count('Charged calls of this key in this UTC month.'),
  credits_used: count('Credits that they cost the account.'),
  last_used_at: nullable(instant('When a call of this key was last charged.')),
};

export const TeamKey = named('TeamKey', Type.Object(ofKey));

export const TeamKeys = named(
  'TeamKeys',
  Type.Object({
    limit: whole('Keys that the plan allows the account, the primary one included.'),
    keys: Type.Array(TeamKey, { description: 'The primary key first, then by age.' }),
  }),
);

export const NewTeamKey = named(
  'NewTeamKey',
  Type.Object({ key: text('The key. It is stored nowhere and cannot be shown again.'), ...ofKey }),
);

const label = words('What the key is for, in your words.');

export const TeamKeyRequest = named(
  'TeamKeyRequest',
  Type.Object(
    { label, ip_whitelist: Type.Optional(AddressList), scopes: Type.Optional(KeyScopes) },
    {
      additionalProperties: false,
      examples: [{ label: 'pricing worker', ip_whitelist: ['203.0.113.0/24'], scopes: ['read'] }],
    },
  ),
);

export const TeamKeyChange = named(
  'TeamKeyChange',
  Type.Object(
    { label: Type.Optional(label), ip_whitelist: Type.Optional(AddressList), scopes: Type.Optional(KeyScopes) },
    {
      additionalProperties: false,
      minProperties: 1,
      examples: [{ label: 'pricing worker, Melbourne' }, { scopes: ['read', 'archive'] }],
    },
  ),
);

export const DeletedTeamKey = named(
  'DeletedTeamKey',
  Type.Object({ key_id: text('Of the key that has ended.'), deleted: yes('Always true.') }),
);

export const teamKeyId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: '`key_id` of the key.',
  examples: ['tk_r4hfygr4k5fh5hyonmpqxgrnce'],
});
