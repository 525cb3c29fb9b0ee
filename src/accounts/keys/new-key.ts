// A new key, with what is stored of it: its hash and its last four characters (D18). The key itself goes to its owner,
// once.
import { formatKey, KEY_RANDOM_BYTES } from '../../plans/api-key';
import { hashApiKey } from '../../store/keys/keys';

/** As many random bytes. */
export type Random = (bytes: number) => Uint8Array;

export interface NewKey {
  readonly key: string;
  readonly hash: Buffer;
  readonly last4: string;
}

export function newKey(random: Random): NewKey {
  const key = formatKey(random(KEY_RANDOM_BYTES));
  return { key, hash: hashApiKey(key), last4: key.slice(-4) };
}

/** How a key is named to its owner: nothing more of it is stored. */
export const hintOf = (last4: string): string => `pe_live_…${last4}`;
