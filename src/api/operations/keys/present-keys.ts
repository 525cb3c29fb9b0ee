// Keys as their owners see them: never more of a key than its last four characters, but for the response that makes it.
import type { Minted } from '../../../accounts/keys/owned-keys';
import type { Scope } from '../../../plans/scopes';

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
