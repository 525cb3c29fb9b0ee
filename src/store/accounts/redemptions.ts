// What a mailed link does when its page's button is pressed: each is one transaction, in which the link is used up. Of
// two presses at the same moment one does it, and the other one finds the link used.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../domain/race/race';
import { type Replaced, type Replacement, replaceKey } from '../keys/key-replacement';
import { inTransaction } from '../pg/transaction';
import type { Sealer } from '../secrets/sealer';
import { carryUse } from './earlier-use';
import { endLinks, type LegalVersions, type LinkProblem, type SignupDetails, useLink } from './links';
import { fillMailboxes, type MailboxOf } from './mailboxes/mailboxes';
import { type NoticeOf, noticeChange } from './notices/notice';
import { lockMailboxes } from './owner-lock';
import { SET_PASSWORD } from './owners';
import { endSessions, type NewSession, signIn, startSession } from './sessions';

interface NewKey {
  readonly hash: Buffer;
  readonly last4: string;
}

interface Redemption {
  readonly tokenHash: Buffer;
  readonly at: Instant;
}

interface Verification extends Redemption {
  /** Of the cookie of this browser: a password counts only if the same browser signed up (D40). */
  readonly browserHash: Buffer | null;
  readonly key: NewKey;
  readonly session: NewSession;
  readonly mailboxOf: MailboxOf;
  /** First day of the UTC month. */
  readonly period: string;
  /** Those that the page of the link names: what another browser accepted is not the owner's choice. */
  readonly versions: LegalVersions;
}

interface Verified {
  readonly accountId: string;
  readonly email: string;
  readonly signup: SignupDetails;
  /** Whether the account has the password of the signup. */
  readonly hasPassword: boolean;
}

interface LinkReplacement extends Redemption {
  readonly key: NewKey;
  readonly graceUntil: Instant;
  readonly notice: Replacement['notice'];
}

/** Null in place of `Replaced`: the account has no key that works, so there is nothing to replace. */
interface KeyReplaced {
  readonly replaced: Replaced | null;
}

interface Reset extends Redemption {
  readonly passwordHash: string;
  readonly session: NewSession;
  readonly notice: NoticeOf;
}

interface OfAccount {
  readonly accountId: string;
  readonly email: string;
}

export interface RedemptionStore {
  /** Creates account, owner, primary key and session. `used` too if the mailbox got an account by another link. */
  verify(verification: Verification): Promise<Verified | LinkProblem>;
  /** `notice`: if the account was not signed in before in this browser. */
  signIn(
    redemption: Redemption & { readonly session: NewSession; readonly notice: NoticeOf },
  ): Promise<OfAccount | LinkProblem>;
  replaceKey(replacement: LinkReplacement): Promise<KeyReplaced | LinkProblem>;
  /** Signs every other device out; links that were mailed before do nothing any more. */
  resetPassword(reset: Reset): Promise<OfAccount | LinkProblem>;
}

export function createRedemptionStore(pool: Pool, sealer: Sealer): RedemptionStore {
  return {
    async verify(verification) {
      await fillMailboxes(pool, verification.mailboxOf);
      return inTransaction(pool, (client) => verify(client, verification));
    },
    signIn: ({ tokenHash, at, session, notice }) =>
      inTransaction(pool, async (client) => {
        const link = await useLink(client, tokenHash, 'login', at);
        if (typeof link === 'string' || link.accountId === null) return typeof link === 'string' ? link : 'unknown';
        await signIn(client, sealer, link.accountId, { ...session, notice });
        return { accountId: link.accountId, email: link.email };
      }),
    replaceKey: ({ tokenHash, at, key, graceUntil, notice }) =>
      inTransaction(pool, async (client) => {
        const link = await useLink(client, tokenHash, 'replace_key', at);
        if (typeof link === 'string' || link.accountId === null) return typeof link === 'string' ? link : 'unknown';
        const { accountId } = link;
        const replacement = { accountId, newHash: key.hash, last4: key.last4, at, graceUntil, notice };
        return { replaced: await replaceKey(client, sealer, replacement) };
      }),
    resetPassword: (reset) => inTransaction(pool, (client) => resetPassword(client, sealer, reset)),
  };
}

async function verify(client: ClientBase, verification: Verification): Promise<Verified | LinkProblem> {
  const { tokenHash, at, browserHash, key, session, mailboxOf } = verification;
  const { rows } = await client.query<{ readonly email: string }>(ADDRESS, [tokenHash]);
  if (!rows[0]) return 'unknown';
  const mailbox = mailboxOf(rows[0].email);
  // Before the link, as the closing of an account that deletes it.
  await lockMailboxes(client, [mailbox]);
  const link = await useLink(client, tokenHash, 'verify', at);
  if (typeof link === 'string') return link;
  const { email, signup } = link;
  if (!signup) throw new Error('a link to verify an address has no signup');
  const { rowCount } = await client.query(TAKEN, [email, mailbox]);
  if (rowCount !== 0) return 'used';
  const inSameBrowser = browserHash !== null && link.browserHash !== null && browserHash.equals(link.browserHash);
  // What another browser chose is not the owner's choice; the page of the link names the terms.
  const passwordHash = inSameBrowser ? signup.passwordHash : null;
  const own = inSameBrowser ? signup : await ofAnotherBrowser(client, link.email, signup, verification);
  const accountId = await insertAccount(client, { email, mailbox, signup: own, passwordHash, key, at });
  await startSession(client, accountId, session);
  await carryUse(client, { accountId, mailbox, period: verification.period, at, linkHash: null });
  return { accountId, email, signup, hasPassword: passwordHash !== null };
}

const ADDRESS = `SELECT email FROM mailed_links WHERE token_hash = $1 AND purpose = 'verify'`;
const TAKEN = 'SELECT FROM account_owners WHERE email_key = lower($1) OR mailbox = $2 AND owns_mailbox';

/** The newest sign-up of this browser for the address. */
const OWN_SIGNUP = `
  SELECT signup->>'referral' AS referral FROM mailed_links
   WHERE lower(email) = lower($1) AND purpose = 'verify' AND browser_hash = $2 ORDER BY created_at DESC LIMIT 1`;

/**
 * A code takes no account over, and many open their mail on another device: it counts, unless this browser signed up
 * too.
 */
async function ofAnotherBrowser(
  client: ClientBase,
  email: string,
  signup: SignupDetails,
  { at, browserHash, versions }: Verification,
): Promise<SignupDetails> {
  const { rows } = await client.query<{ readonly referral: string | null }>(OWN_SIGNUP, [email, browserHash]);
  const { referral } = rows[0] ?? signup;
  return { ...signup, marketingOptIn: false, referral, termsAcceptedAt: at, versions };
}

const ACCOUNT = `INSERT INTO accounts (plan, created_at) VALUES ('free', $1) RETURNING account_id AS "accountId"`;

const OWNER = `
  INSERT INTO account_owners (account_id, email, email_key, verified_at, terms_accepted_at, password_hash, marketing_opt_in, marketing_changed_at,
                              referred_by_code, mailbox, owns_mailbox, terms_version, privacy_version)
  VALUES ($1, $2, lower($2), $3, $4, $5, $6, CASE WHEN $6 THEN $3::timestamptz END, lower($7), $8, true, $9, $10)`;

const KEY = `
  INSERT INTO api_keys (key_hash, last4, label, plan, issued_at, account_id, is_primary) VALUES ($1, $2, $3, 'free', $4, $5, true)`;

interface NewAccount {
  readonly email: string;
  readonly mailbox: string;
  readonly signup: SignupDetails;
  readonly passwordHash: string | null;
  readonly key: NewKey;
  readonly at: Instant;
}

async function insertAccount(client: ClientBase, account: NewAccount): Promise<string> {
  const { email, mailbox, signup, passwordHash, key, at } = account;
  const { rows } = await client.query<{ accountId: string }>(ACCOUNT, [at]);
  const { accountId } = rows[0]!;
  const { termsAcceptedAt, versions, marketingOptIn, label, referral } = signup;
  const agreed = [termsAcceptedAt, passwordHash, marketingOptIn, referral?.trim()];
  await client.query(OWNER, [accountId, email, at, ...agreed, mailbox, versions?.terms, versions?.privacy]);
  await client.query(KEY, [key.hash, key.last4, label, at, accountId]);
  return accountId;
}

async function resetPassword(client: ClientBase, sealer: Sealer, reset: Reset): Promise<OfAccount | LinkProblem> {
  const { tokenHash, at, passwordHash, session, notice } = reset;
  const link = await useLink(client, tokenHash, 'reset', at);
  if (typeof link === 'string' || link.accountId === null) return typeof link === 'string' ? link : 'unknown';
  const { accountId, email } = link;
  await client.query(SET_PASSWORD, [accountId, passwordHash]);
  // Links first: one that is being pressed ends or has its session by then.
  await endLinks(client, accountId, at);
  await endSessions(client, accountId, { session: null, browser: null });
  await startSession(client, accountId, session);
  await noticeChange(client, sealer, accountId, notice, undefined);
  return { accountId, email };
}
