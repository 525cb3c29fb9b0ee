// A team key as its owner sees it: never more than its last four characters.
import type { Static } from '@sinclair/typebox';
import { hintOf } from '../../../accounts/keys/new-key';
import { publicKeyId } from '../../../plans/key-id';
import type { Plan } from '../../../plans/plans';
import type { AccountKey } from '../../../store/keys/team-keys';
import { presentScopes } from '../keys/present-keys';
import type { TeamKey } from './team-key-schema';

export function presentTeamKey(key: AccountKey, plan: Plan): Static<typeof TeamKey> {
  return {
    key_id: publicKeyId(key.keyId),
    key_hint: hintOf(key.last4),
    label: key.label,
    is_primary: key.isPrimary,
    ip_whitelist: [...key.allowedAddresses],
    scopes: presentScopes(key.scopes),
    requests_per_minute: plan.requestsPerMinute,
    key_version: key.version,
    created_at: key.issuedAt,
    rotated_at: key.rotatedAt,
    previous_key_valid_until: key.previousValidUntil,
    calls_used: key.calls,
    credits_used: key.credits,
    last_used_at: key.lastUsedAt,
  };
}
