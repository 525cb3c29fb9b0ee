// Console sessions, and the browsers in which an account was signed in before, by the SHA-256 of their tokens, which
// are never stored.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import type { Sealer } from '../secrets/sealer';
import { type NoticeOf, noticeChange } from './notices/notice';
import { lockOwner } from './owner-lock';

interface StoredSession {
  readonly accountId: string;
  readonly accountSince: Instant;
  readonly plan: string;
  readonly expiresAt: Instant;
}

interface NewToken {
  readonly tokenHash: Buffer;
  readonly expiresAt: Instant;
  /**
   * The one that this browser had before: it ends, whosever it was, so that nothing of before a sign-in is valid after
   * it.
   */
  readonly replaces: Buffer | null;
}

export interface NewSession {
  readonly at: Instant;
  readonly session: NewToken;
  readonly browser: NewToken;
}

export interface SessionStore {
  /** Null for an unknown token, and for one that has expired by `at`. */
  find(tokenHash: Buffer, at: Instant): Promise<StoredSession | null>;
  /**
   * `notice`: if the account was not signed in before in this browser. False: the owner's password is not the one that
   * was compared any more.
   */
  start(accountId: string, passwordHash: string, session: NewSession, notice: NoticeOf): Promise<boolean>;
  /** Whether it is there and began after `at`. */
  beganAfter(tokenHash: Buffer, at: Instant): Promise<boolean>;
  remove(tokenHash: Buffer): Promise<void>;
  /** `except`: the session that stays. */
  removeAll(accountId: string, except?: Buffer): Promise<void>;
}

const FIND = `
  SELECT account_id AS "accountId", a.created_at AS "accountSince", a.plan, s.expires_at AS "expiresAt"
    FROM sessions s JOIN accounts a USING (account_id) WHERE token_hash = $1 AND s.expires_at > $2`;

/** Of one account, the newest: a program that signs in for every call fills no table. */
const MOST_SESSIONS = 100;
const MOST_BROWSERS = 20;

const older = (table: string, most: number): string =>
  `token_hash IN (SELECT token_hash FROM ${table} WHERE account_id = $1 ORDER BY expires_at DESC OFFSET ${most - 1})`;

const START = `
  WITH ended AS (DELETE FROM sessions WHERE token_hash = $5 OR ${older('sessions', MOST_SESSIONS)}),
       forgotten AS (DELETE FROM known_browsers WHERE token_hash = $8 OR ${older('known_browsers', MOST_BROWSERS)}
                     RETURNING token_hash, account_id, expires_at),
       known AS (INSERT INTO known_browsers (token_hash, account_id, expires_at) VALUES ($6, $1, $7))
  INSERT INTO sessions (token_hash, account_id, created_at, expires_at) VALUES ($2, $1, $3, $4)
  RETURNING EXISTS (SELECT FROM forgotten WHERE token_hash = $8 AND account_id = $1 AND expires_at > $3) AS "isKnownBrowser"`;

/**
 * `SessionStore.start` in a transaction of the caller's, which has locked the owner. Resolves to whether the account
 * was signed in before in this browser.
 */
export async function startSession(
  client: Pick<ClientBase, 'query'>,
  accountId: string,
  { at, session, browser }: NewSession,
): Promise<boolean> {
  const ofSession = [accountId, session.tokenHash, at, session.expiresAt, session.replaces];
  const values = [...ofSession, browser.tokenHash, browser.expiresAt, browser.replaces];
  return (await client.query<{ readonly isKnownBrowser: boolean }>(START, values)).rows[0]!.isKnownBrowser;
}

/** A sign-in: noticed if this browser is new to the account. As `startSession`. */
export async function signIn(
  client: ClientBase,
  sealer: Sealer,
  accountId: string,
  session: NewSession & { readonly notice: NoticeOf },
): Promise<void> {
  if (await startSession(client, accountId, session)) return;
  await noticeChange(client, sealer, accountId, session.notice, undefined);
}

/**
 * Ends the account's sessions and forgets its browsers, but for these. In a transaction of the caller's, which has
 * locked the owner.
 */
export async function endSessions(
  client: ClientBase,
  accountId: string,
  except: { readonly session: Buffer | null; readonly browser: Buffer | null },
): Promise<void> {
  const other = 'account_id = $1 AND ($2::bytea IS NULL OR token_hash <> $2)';
  await client.query(`DELETE FROM sessions WHERE ${other}`, [accountId, except.session]);
  await client.query(`DELETE FROM known_browsers WHERE ${other}`, [accountId, except.browser]);
}

export function createSessionStore(pool: Pool, sealer: Sealer): SessionStore {
  return {
    async find(tokenHash, at) {
      const query = { name: 'session', text: FIND, values: [tokenHash, at] };
      return (await pool.query<StoredSession>(query)).rows[0] ?? null;
    },
    start: (accountId, passwordHash, session, notice) =>
      inTransaction(pool, async (client) => {
        // A reset waits for this session, and ends it.
        if ((await lockOwner(client, accountId))?.passwordHash !== passwordHash) return false;
        await signIn(client, sealer, accountId, { ...session, notice });
        return true;
      }),
    async beganAfter(tokenHash, at) {
      const text = 'SELECT FROM sessions WHERE token_hash = $1 AND created_at > $2';
      return (await pool.query(text, [tokenHash, at])).rowCount === 1;
    },
    async remove(tokenHash) {
      await pool.query('DELETE FROM sessions WHERE token_hash = $1', [tokenHash]);
    },
    removeAll: (accountId, except) =>
      inTransaction(pool, async (client) => {
        await lockOwner(client, accountId);
        const text = 'DELETE FROM sessions WHERE account_id = $1 AND ($2::bytea IS NULL OR token_hash <> $2)';
        await client.query(text, [accountId, except ?? null]);
      }),
  };
}
