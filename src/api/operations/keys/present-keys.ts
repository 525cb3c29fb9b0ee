// Keys as their owners see them: never more than the last four characters, except in the response that creates the key.
import type { Minted } from '../../../accounts/keys/owned-keys';
import type { Scope } from '../../../plans/scopes';

/** As stored: the database refuses other values. */
export const presentScopes = (scopes: readonly string[] | null) => scopes && ([...scopes] as Scope[]);

/** The members that a new key and the one it replaced share in every response. */
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
