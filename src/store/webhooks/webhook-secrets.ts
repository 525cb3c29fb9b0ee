// The stored secrets of a webhook. Both columns are sealed for the same place: a rotation moves a value from one to the
// other unchanged, even in a process that cannot open it.
import type { SealedPlace } from '../secrets/seal';
import type { Sealer } from '../secrets/sealer';

export const placeOfSecret = (webhookId: string): SealedPlace => ({
  table: 'webhooks',
  column: 'secret',
  row: webhookId,
});

interface StoredSecrets {
  readonly webhookId: string;
  /** Empty: the webhook is deleted. */
  readonly secret: string;
  /** Null: no rotation is in progress. */
  readonly previousSecret: string | null;
}

/** All signing secrets, the current one first, or why not all of them can sign: a receiver may verify any of them. */
export function openSecrets(
  sealer: Sealer,
  { webhookId, secret, previousSecret }: StoredSecrets,
): readonly [string, ...string[]] | { readonly problem: string } {
  // It was deleted while leased.
  if (secret === '') return { problem: 'its webhook is deleted' };
  const place = placeOfSecret(webhookId);
  const present = sealer.open(place, secret);
  if ('problem' in present) return present;
  if (previousSecret === null) return [present.text];
  const previous = sealer.open(place, previousSecret);
  return 'problem' in previous ? previous : [present.text, previous.text];
}
