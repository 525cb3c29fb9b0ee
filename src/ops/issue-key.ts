// Issues an API key and stores only its hash and last four characters. The key is returned once and stored nowhere.
import { randomBytes } from 'node:crypto';
import { newKey } from '../accounts/keys/new-key';
import { SPORT_BOOKS } from '../domain/bookmakers';
import type { Instant } from '../domain/race/race';
import type { ApiKeyRow, KeyStore } from '../store/keys/keys';

export interface KeyOrder {
  readonly label: string;
  readonly plan: string;
  readonly role: ApiKeyRow['role'];
  /** An existing account, whose plan the key has. Default: a new account. */
  readonly accountId?: string;
  /** For a pusher, and only for one. */
  readonly bookmakerKey?: string;
}

/** The books that push prices: all of them for sports, some for races. */
export const PUSHED: readonly string[] = SPORT_BOOKS;

/** A key that may push this book's prices and nothing else, whatever its plan. */
export const pusherOf = (book: string, label: string): KeyOrder => ({
  label,
  plan: 'free',
  role: 'pusher',
  bookmakerKey: book,
});

export async function issueKey(keys: KeyStore, order: KeyOrder, issuedAt: Instant): Promise<string> {
  const { key, hash, last4 } = newKey(randomBytes);
  const { accountId, ...row } = order;
  await keys.insert(hash, { bookmakerKey: null, ...row, last4, issuedAt }, accountId);
  return key;
}
