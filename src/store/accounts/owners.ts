// Who owns an account, how its owner signs in, and what its owner agreed to. An account that an operator made has no
// owner.
import type { Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import type { Sealer } from '../secrets/sealer';
import { endLinks } from './links';
import type { MailList } from './mails';
import { type NoticeOf, noticeChange } from './notices/notice';
import { endSessions } from './sessions';

export interface OwnerByEmail {
  readonly accountId: string;
  readonly email: string;
  /** Argon2id, as a PHC string; null: the owner signs in by mailed links. */
  readonly passwordHash: string | null;
  /** Whether the account was signed in before in this browser. */
  readonly isKnownBrowser: boolean;
}

export interface OwnedAccount {
  readonly accountId: string;
  readonly plan: string;
  readonly createdAt: Instant;
  /** Null, like all below: the account has no owner. */
  readonly email: string | null;
  readonly verifiedAt: Instant | null;
  readonly termsAcceptedAt: Instant | null;
  /** Null also: accepted before versions were stored, or vouched for by an operator. */
  readonly termsVersion: string | null;
  readonly privacyVersion: string | null;
  readonly passwordHash: string | null;
  readonly marketingOptIn: boolean | null;
  /** Whether the owner is mailed at 80 and at 100 percent of a month's credits. */
  readonly creditMails: boolean | null;
  /** Whether the owner is mailed about price alerts. */
  readonly alertMails: boolean | null;
  readonly marketingChangedAt: Instant | null;
}

const MAIL_COLUMNS = { alerts: 'alert_mails', credits: 'credit_mails' } as const satisfies Record<MailList, string>;

interface NewPassword {
  readonly accountId: string;
  readonly passwordHash: string;
  /** The one that was compared. */
  readonly before: string | null;
  readonly at: Instant;
  /** These stay signed in. */
  readonly except: { readonly session: Buffer; readonly browser: Buffer | null };
  readonly notice: NoticeOf;
}

export interface OwnerStore {
  /** Addresses that differ in case only are one. `browserHash` null: no browser is known. */
  byEmail(email: string, browserHash: Buffer | null, at: Instant): Promise<OwnerByEmail | null>;
  /**
   * The account of this address; otherwise that of its mailbox, under another spelling. For mails to the account's own
   * address only.
   */
  ofMailbox(
    of: { readonly email: string; readonly mailbox: string; readonly browserHash: Buffer | null },
    at: Instant,
  ): Promise<OwnerByEmail | null>;
  /** Null: there is no such account. */
  ofAccount(accountId: string): Promise<OwnedAccount | null>;
  /** False: the account has no owner. */
  setMarketing(accountId: string, optIn: boolean, at: Instant): Promise<boolean>;
  /** Whether mails of a list are written. False: the account has no owner. */
  setMails(accountId: string, list: MailList, isOn: boolean): Promise<boolean>;
  /**
   * Signs every other device out; links that were mailed before do nothing any more. False: the password is not
   * `before` any more.
   */
  setPassword(password: NewPassword): Promise<boolean>;
  /** Another hash of the same password; nothing if the password is not `before` any more. */
  renewHash(accountId: string, before: string, passwordHash: string): Promise<void>;
}

const OWNER = `
  SELECT account_id AS "accountId", email, password_hash AS "passwordHash",
         EXISTS (SELECT FROM known_browsers b
                  WHERE b.token_hash = $2 AND b.account_id = o.account_id AND b.expires_at > $3) AS "isKnownBrowser"
    FROM account_owners o`;

const BY_EMAIL = `${OWNER} WHERE email_key = lower($1)`;

const OF_MAILBOX = `${OWNER} WHERE email_key = lower($1) OR mailbox = $4 AND owns_mailbox ORDER BY email_key = lower($1) DESC LIMIT 1`;

const OF_ACCOUNT = `
  SELECT account_id AS "accountId", plan, created_at AS "createdAt", email, verified_at AS "verifiedAt",
         terms_accepted_at AS "termsAcceptedAt", terms_version AS "termsVersion", privacy_version AS "privacyVersion", password_hash AS "passwordHash", marketing_opt_in AS "marketingOptIn", credit_mails AS "creditMails", alert_mails AS "alertMails",
         marketing_changed_at AS "marketingChangedAt"
    FROM accounts LEFT JOIN account_owners USING (account_id) WHERE account_id = $1`;

export const SET_PASSWORD = 'UPDATE account_owners SET password_hash = $2 WHERE account_id = $1';

/** Unless another password was set since this one was compared. */
const CHANGE_PASSWORD = `${SET_PASSWORD} AND password_hash IS NOT DISTINCT FROM $3`;

export function createOwnerStore(pool: Pool, sealer: Sealer): OwnerStore {
  return {
    async byEmail(email, browserHash, at) {
      const query = { name: 'owner-by-email', text: BY_EMAIL, values: [email, browserHash, at] };
      return (await pool.query<OwnerByEmail>(query)).rows[0] ?? null;
    },
    async ofMailbox({ email, mailbox, browserHash }, at) {
      const query = { name: 'owner-of-mailbox', text: OF_MAILBOX, values: [email, browserHash, at, mailbox] };
      return (await pool.query<OwnerByEmail>(query)).rows[0] ?? null;
    },
    ofAccount: async (accountId) => (await pool.query<OwnedAccount>(OF_ACCOUNT, [accountId])).rows[0] ?? null,
    async setMails(accountId, list, isOn) {
      const text = `UPDATE account_owners SET ${MAIL_COLUMNS[list]} = $2 WHERE account_id = $1`;
      return (await pool.query(text, [accountId, isOn])).rowCount === 1;
    },
    async setMarketing(accountId, optIn, at) {
      const text = `
        UPDATE account_owners SET marketing_opt_in = $2,
               marketing_changed_at = CASE WHEN marketing_opt_in = $2 THEN marketing_changed_at ELSE $3 END
         WHERE account_id = $1`;
      return (await pool.query(text, [accountId, optIn, at])).rowCount === 1;
    },
    setPassword: ({ accountId, passwordHash, before, at, except, notice }) =>
      inTransaction(pool, async (client) => {
        const { rowCount } = await client.query(CHANGE_PASSWORD, [accountId, passwordHash, before]);
        if (rowCount === 0) return false;
        // Links first: one that is being pressed ends or has its session by then.
        await endLinks(client, accountId, at);
        await endSessions(client, accountId, except);
        await noticeChange(client, sealer, accountId, notice, undefined);
        return true;
      }),
    async renewHash(accountId, before, passwordHash) {
      await pool.query(CHANGE_PASSWORD, [accountId, passwordHash, before]);
    },
  };
}
