// GET /v1/keys/info (shapes 3.7).
import { Type } from '@sinclair/typebox';
import { count, instant, named, nullable, text, yes } from '../../wire/vocabulary';
import { storedWhitelist } from '../keys/ip-whitelist-schema';
import { storedScopes } from '../keys/scopes-schema';
import { creditsLimit, creditsRemaining } from './usage-schema';

export const KeyInfo = named(
  'KeyInfo',
  Type.Object({
    key_hint: text('The last four characters of the key.'),
    plan: text('Plan of the account.'),
    org_id: text('Id of the account, which all its keys share.'),
    org_name: nullable(text('Name of the account.')),
    credits_used: count('Credits that all keys of the account used in this UTC month.'),
    credits_limit: creditsLimit,
    credits_remaining: creditsRemaining,
    key_version: count('1, and one more for each replacement of the key.'),
    last_used_at: nullable(instant('When a call of this key was last charged.')),
    last_used_ip: nullable(text('Always null: the addresses of your calls are not stored.')),
    ip_whitelist: storedWhitelist,
    scopes: storedScopes,
    created_at: instant('When the key was issued.'),
    rotated_at: nullable(instant('When it was last replaced.')),
    key_id: text('Names the key; stays when it is replaced.'),
    label: text('What the key is for.'),
    is_primary: yes('The key of the account itself. False: a key of its team.'),
    valid_until: nullable(instant('The last instant of a key that was replaced. Null: it was not.')),
  }),
);
