// Issues an API key and stores only its hash and last four characters. The key is returned once and stored nowhere.
import { randomBytes } from 'node:crypto';
import type { Instant } from '../domain/race/race';
import { formatKey, KEY_RANDOM_BYTES } from '../plans/api-key';
import { type ApiKeyRow, hashApiKey, type KeyStore } from '../store/keys';

export interface KeyOrder {
  readonly label: string;
  readonly plan: string;
  readonly role: ApiKeyRow['role'];
}

export async function issueKey(keys: KeyStore, order: KeyOrder, issuedAt: Instant): Promise<string> {
  const key = formatKey(randomBytes(KEY_RANDOM_BYTES));
  await keys.insert(hashApiKey(key), { ...order, last4: key.slice(-4), issuedAt });
  return key;
}
