// Links that are mailed, by the SHA-256 of their token, which is never stored. A link and its mail are one statement,
// the same for an address that has an account and for one that has none.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';
import type { Sealer } from '../secrets/sealer';
import { insertMailText, mailValues, type NewMail } from './mails';
import { lockMailboxes, lockOwner } from './owner-lock';

export type LinkPurpose = 'verify' | 'login' | 'reset' | 'replace_key' | 'change_email' | 'undo_email';

/** Versions of the terms of use and of the privacy statement, as their pages name them. */
export interface LegalVersions {
  readonly terms: string;
  readonly privacy: string;
}

/** What was sent at signup, until the address is verified. */
export interface SignupDetails {
  readonly label: string;
  /** The plan that the customer wants to buy; every account starts on Free. */
  readonly plan: string;
  readonly passwordHash: string | null;
  readonly termsAcceptedAt: Instant;
  /** Those that were accepted then; absent from sign-ups of the release before. */
  readonly versions?: LegalVersions;
  readonly marketingOptIn: boolean;
  readonly useCase: string | null;
  readonly useCaseNote: string | null;
  readonly referral: string | null;
}

interface NewLink {
  readonly tokenHash: Buffer;
  readonly purpose: LinkPurpose;
  /** Null: the address has no account. */
  readonly accountId: string | null;
  readonly email: string;
  /** Of the address that was given. Links are counted by it. */
  readonly mailbox: string;
  /** Of `verify` only. */
  readonly signup: SignupDetails | null;
  /** Of the cookie of the browser that signs up, whether the address has an account or not; null: another request. */
  readonly browserHash: Buffer | null;
  /** Of `change_email` only: the account's address before. */
  readonly otherEmail?: string;
  readonly at: Instant;
  readonly expiresAt: Instant;
}

/** At most so many links to one mailbox since an instant. */
interface LinkBound {
  /** Those of all sign-ups, or those of one purpose. */
  readonly most: number;
  readonly since: Instant;
  /** Those of every kind together. */
  readonly ofDay: {
    readonly most: number;
    /** Of links that open nothing, because the mailbox has no account. */
    readonly mostWithoutAccount: number;
    readonly since: Instant;
  };
}

export interface StoredLink {
  readonly purpose: LinkPurpose;
  readonly accountId: string | null;
  readonly email: string;
  readonly signup: SignupDetails | null;
  readonly browserHash: Buffer | null;
  /** The other address of a change. */
  readonly otherEmail: string | null;
  readonly expiresAt: Instant;
  readonly isUsed: boolean;
}

export interface LinkStore {
  /** Writes both, or neither if the mailbox has had its share of links, or the account was closed: then false. */
  request(link: NewLink, mail: NewMail, bound: LinkBound): Promise<boolean>;
  find(tokenHash: Buffer): Promise<StoredLink | null>;
}

const REQUEST = `
  WITH recent AS (
    SELECT count(*) AS of_day, count(*) FILTER (WHERE account_id IS NULL AND purpose <> 'verify') AS without_account,
           count(*) FILTER (WHERE created_at > $10 AND
             (browser_hash IS NULL AND $6::bytea IS NULL AND purpose = $2 OR browser_hash IS NOT NULL AND $6 IS NOT NULL)) AS links
      FROM mailed_links WHERE mailbox = $9 AND created_at > $12
  ), link AS (
    INSERT INTO mailed_links (token_hash, purpose, account_id, email, signup, browser_hash, created_at, expires_at, mailbox, other_email)
    SELECT $1, $2, $3::uuid, $4, $5::jsonb, $6::bytea, $7::timestamptz, $8::timestamptz, $9, $15::text FROM recent
     WHERE links < $11 AND of_day < $13 AND ($3 IS NOT NULL OR $2 = 'verify' OR without_account < $14)
       AND ($3 IS NULL OR EXISTS (SELECT FROM account_owners WHERE account_id = $3 AND email_key = lower(COALESCE($15, $4))))
    RETURNING 1
  )
  ${insertMailText(16, 'FROM link')}`;

const FIND = `
  SELECT purpose, account_id AS "accountId", email, signup, browser_hash AS "browserHash", other_email AS "otherEmail", expires_at AS "expiresAt",
         used_at IS NOT NULL AS "isUsed"
    FROM mailed_links WHERE token_hash = $1`;

export function createLinkStore(pool: Pool, sealer: Sealer): LinkStore {
  return {
    request: (link, mail, { most, since, ofDay }) =>
      inTransaction(pool, async (client) => {
        const { tokenHash, purpose, accountId, email, mailbox, signup, browserHash, at, expiresAt, otherEmail } = link;
        await lockMailboxes(client, [mailbox]);
        const details = signup && JSON.stringify(signup);
        const ofLink = [tokenHash, purpose, accountId, email, details, browserHash, at, expiresAt, mailbox];
        const bounds = [since, most, ofDay.since, ofDay.most, ofDay.mostWithoutAccount];
        const values = [...ofLink, ...bounds, otherEmail ?? null, ...(await mailValues(client, sealer, mail))];
        return (await client.query({ name: 'link-request', text: REQUEST, values })).rowCount === 1;
      }),
    find: async (tokenHash) => (await pool.query<StoredLink>(FIND, [tokenHash])).rows[0] ?? null,
  };
}

/** Why a link does nothing. */
export type LinkProblem = 'unknown' | 'used' | 'expired';

/**
 * In a transaction of the caller's: the link is used up, unless it has a problem, and the owner of its account is
 * locked. Of two calls at the same moment one finds it used.
 */
export async function useLink(
  client: ClientBase,
  tokenHash: Buffer,
  purpose: LinkPurpose,
  at: Instant,
): Promise<StoredLink | LinkProblem> {
  const ofAccount = 'SELECT account_id AS "accountId" FROM mailed_links WHERE token_hash = $1';
  const { rows: accounts } = await client.query<Pick<StoredLink, 'accountId'>>(ofAccount, [tokenHash]);
  const accountId = accounts[0]?.accountId;
  if (accountId) await lockOwner(client, accountId);
  const { rows } = await client.query<StoredLink>(`${FIND} AND purpose = $2 FOR UPDATE`, [tokenHash, purpose]);
  const [link] = rows;
  if (!link) return 'unknown';
  if (link.isUsed) return 'used';
  if (link.expiresAt <= at) return 'expired';
  // A password, if only as its hash, is not kept any longer.
  const text = `UPDATE mailed_links SET used_at = $2, signup = signup - 'passwordHash' WHERE token_hash = $1`;
  await client.query(text, [tokenHash, at]);
  return link;
}

/**
 * In a transaction of the caller's: none of the account's links works any more, but for those that take a change of
 * its address back.
 */
export async function endLinks(client: ClientBase, accountId: string, at: Instant): Promise<void> {
  const text = `UPDATE mailed_links SET used_at = $2 WHERE account_id = $1 AND used_at IS NULL AND purpose <> 'undo_email'`;
  await client.query(text, [accountId, at]);
}
