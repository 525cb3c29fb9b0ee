// Keys as their owners see them: never more of a key than its last four characters, but for the response that makes it.
import type { Static } from '@sinclair/typebox';
import { hintOf } from '../../accounts/keys/new-key';
import type { Minted } from '../../accounts/keys/owned-keys';
import { publicKeyId } from '../../plans/key-id';
import type { Plan } from '../../plans/plans';
import type { Scope } from '../../plans/scopes';
import type { AccountKey } from '../../store/accounts/team-keys';
import type { TeamKey } from '../schemas/keys/team-key';

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

/** As they are stored: the database refuses others. */
export const presentScopes = (scopes: readonly string[] | null) => scopes && ([...scopes] as Scope[]);

/** What a new key and the one that it replaced have in common in every response. */
export function presentReplacement({ version, at, previousValidUntil, isSpared }: Minted) {
  return {
    key_version: version,
    rotated_at: at,
    previous_key_valid_until: previousValidUntil,
    message: `Store the new key now: it is not shown again. ${endOf(previousValidUntil, isSpared)}`,
  };
}

function endOf(until: string | null, isSpared: boolean): string {
  if (until === null) return 'Every key before it has ended.';
  if (isSpared) return `The key that was shown before it has ended; the key before that one works until ${until}.`;
  return `The key before it works until ${until}.`;
}
