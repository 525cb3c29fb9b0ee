// Passkeys of owners: public keys, by the account and the credential. What is added or removed, and the notice of it,
// are one transaction, in which the owner is locked first.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { idOfKey } from '../../business-key';
import { inTransaction } from '../../pg/transaction';
import type { Sealer } from '../../secrets/sealer';
import { type NoticeOf, noticeChange } from '../notices/notice';
import { lockOwner } from '../owner-lock';
import { type NewSession, signIn } from '../sessions';

export interface OwnedPasskey {
  readonly passkeyId: string;
  readonly credentialId: Buffer;
  readonly label: string;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** What an authenticator names by itself when it signs. */
export interface PasskeyName {
  readonly accountId: string;
  readonly credentialId: Buffer;
}

/** About the passkey that was added or removed. */
export type PasskeyNotice = NoticeOf<{ readonly passkeyId: string }>;

interface NewPasskey extends PasskeyName {
  /** COSE. */
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly label: string;
  readonly at: Instant;
  /** In which the owner has confirmed it. */
  readonly session: Buffer;
  readonly notice: PasskeyNotice;
}

/** `taken`: the account has this passkey; `full`: it has as many as it may; `signed_out`: the session has ended. */
export type PasskeyAdded = 'added' | 'taken' | 'full' | 'signed_out';

interface PasskeyRemoval {
  readonly accountId: string;
  readonly passkeyId: string;
  /** The hash that was compared; null: the account has no password. */
  readonly passwordHash: string | null;
  readonly session: Buffer;
  readonly notice: PasskeyNotice;
}

interface PasskeySignIn extends PasskeyName {
  /** That came with the signature. */
  readonly counter: number;
  readonly session: NewSession;
  /** If the account was not signed in before in this browser. */
  readonly notice: NoticeOf;
  /** If the counter is not ahead of the stored one, which is the change. */
  readonly copied: NoticeOf<{ readonly passkeyId: string; readonly counter: number }>;
}

export interface PasskeyStore {
  /** Oldest first. */
  list(accountId: string): Promise<readonly OwnedPasskey[]>;
  /** Its public key; null: there is no such passkey. */
  publicKey(name: PasskeyName): Promise<Buffer | null>;
  add(passkey: NewPasskey): Promise<PasskeyAdded>;
  /** False: there is no such passkey. */
  rename(accountId: string, passkeyId: string, label: string): Promise<boolean>;
  /** `changed`: the password is another one by now, or the session has ended. */
  remove(removal: PasskeyRemoval): Promise<'removed' | 'unknown' | 'changed'>;
  /** After its signature was right. `copied`: the counter did not grow, so no session begins. */
  signIn(wish: PasskeySignIn): Promise<'signed_in' | 'unknown' | 'copied'>;
}

export const MOST_PASSKEYS = 20;

const LIST = `
  SELECT passkey_id AS "passkeyId", credential_id AS "credentialId", label, created_at AS "createdAt", last_used_at AS "lastUsedAt"
    FROM passkeys WHERE account_id = $1 ORDER BY created_at, passkey_id`;

const ADD = `
  INSERT INTO passkeys (passkey_id, account_id, credential_id, public_key, counter, label, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`;

/** A device that counts never repeats a number; one that does not always reports 0. */
const USE = `
  UPDATE passkeys SET counter = $2, last_used_at = $3 WHERE passkey_id = $1 AND ($2 > counter OR $2 = 0 AND counter = 0)`;

export const REMOVE_PASSKEYS = 'DELETE FROM passkeys WHERE account_id = $1';

const idOf = ({ accountId, credentialId }: PasskeyName): string =>
  idOfKey(`passkey ${accountId} ${credentialId.toString('base64url')}`);

export function createPasskeyStore(pool: Pool, sealer: Sealer): PasskeyStore {
  return {
    list: async (accountId) => (await pool.query<OwnedPasskey>(LIST, [accountId])).rows,
    async publicKey(name) {
      const text = 'SELECT public_key AS "publicKey" FROM passkeys WHERE passkey_id = $1';
      return (await pool.query<{ publicKey: Buffer }>(text, [idOf(name)])).rows[0]?.publicKey ?? null;
    },
    add: (passkey) => inTransaction(pool, (client) => add(client, sealer, passkey)),
    async rename(accountId, passkeyId, label) {
      const text = 'UPDATE passkeys SET label = $3 WHERE account_id = $1 AND passkey_id::text = $2';
      return (await pool.query(text, [accountId, passkeyId, label])).rowCount === 1;
    },
    remove: (removal) => inTransaction(pool, (client) => remove(client, sealer, removal)),
    signIn: (wish) => inTransaction(pool, (client) => signInWith(client, sealer, wish)),
  };
}

async function add(client: ClientBase, sealer: Sealer, passkey: NewPasskey): Promise<PasskeyAdded> {
  const { accountId, credentialId, publicKey, counter, label, at, session, notice } = passkey;
  // An act that ends the account's sessions waits, or has ended this one.
  if (!(await lockOwner(client, accountId)) || !(await isOpen(client, accountId, session))) return 'signed_out';
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM passkeys WHERE account_id = $1',
    [accountId],
  );
  if (rows[0]!.count >= MOST_PASSKEYS) return 'full';
  const passkeyId = idOf(passkey);
  const values = [passkeyId, accountId, credentialId, publicKey, counter, label, at];
  if ((await client.query(ADD, values)).rowCount === 0) return 'taken';
  await noticeChange(client, sealer, accountId, notice, { passkeyId });
  return 'added';
}

async function remove(client: ClientBase, sealer: Sealer, removal: PasskeyRemoval) {
  const { accountId, passkeyId, passwordHash, session, notice } = removal;
  const owner = await lockOwner(client, accountId);
  if (owner?.passwordHash !== passwordHash || !(await isOpen(client, accountId, session))) return 'changed';
  const text = 'DELETE FROM passkeys WHERE account_id = $1 AND passkey_id::text = $2';
  if ((await client.query(text, [accountId, passkeyId])).rowCount === 0) return 'unknown';
  await noticeChange(client, sealer, accountId, notice, { passkeyId });
  return 'removed';
}

async function signInWith(client: ClientBase, sealer: Sealer, wish: PasskeySignIn) {
  const { accountId, counter, session, notice, copied } = wish;
  const passkeyId = idOf(wish);
  if (!(await lockOwner(client, accountId))) return 'unknown';
  if ((await client.query(USE, [passkeyId, counter, session.at])).rowCount === 1) {
    await signIn(client, sealer, accountId, { ...session, notice });
    return 'signed_in';
  }
  const text = 'SELECT counter FROM passkeys WHERE passkey_id = $1';
  const [stored] = (await client.query<{ counter: number }>(text, [passkeyId])).rows;
  if (!stored) return 'unknown';
  await noticeChange(client, sealer, accountId, copied, { passkeyId, counter: stored.counter });
  return 'copied';
}

async function isOpen(client: ClientBase, accountId: string, session: Buffer): Promise<boolean> {
  const text = 'SELECT FROM sessions WHERE account_id = $1 AND token_hash = $2';
  return (await client.query(text, [accountId, session])).rowCount === 1;
}
