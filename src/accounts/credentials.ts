// An owner's password, key and consent. A new password signs every other device out, ends the links that were mailed
// before, and is announced by mail.
import { AppError, invalid } from '../errors';
import type { MailList } from '../store/accounts/mails';
import type { OwnedAccount } from '../store/accounts/owners';
import { takeMailRequest } from './guesses';
import { newKey } from './keys/new-key';
import { NO_PRIMARY } from './keys/owned-keys';
import { refuseLink } from './mailed-links';
import { keyReplaced, passwordChanged } from './notices/security-notices';
import { requireRecent } from './owner-proof';
import type { AccountParts } from './parts';
import { type PasswordOwner, passwordProblem } from './passwords';
import { hashOf } from './token';
import { newSession, type SentFrom, type SessionCookies, type Visitor } from './visitor';

/** A replacement of a lost key. */
export interface ReplacedKey {
  /** Shown once. */
  readonly key: string;
  readonly version: number;
  /** Instant until which the key before it works. */
  readonly previousValidUntil: string | null;
}

export interface PasswordChange {
  readonly accountId: string;
  /** Needed if the account has a password. */
  readonly current: string | null;
  readonly password: string;
}

/** A 5.3, as for a rotation. */
const GRACE_MS = 24 * 3_600_000;

export function createCredentials(parts: AccountParts) {
  const { owners, redemptions, passwords, counts, random, wallMs, mailedLinks, guesses, baseUrl, mailWritten } = parts;
  const account = (accountId: string): Promise<OwnedAccount> => accountOf(owners, accountId);

  return {
    account,

    ...createChoices(parts),

    async reset(token: string, password: string, visitor: Visitor): Promise<SessionCookies> {
      const nowMs = wallMs();
      const tokenHash = hashOf(token) ?? refuseLink('unknown');
      const link = await mailedLinks.find(tokenHash, nowMs);
      if (link.purpose !== 'reset') refuseLink('unknown');
      if (link.state !== 'open') refuseLink(link.state);
      requirePassword(password, { email: link.email, baseUrl }, '/password');
      await takeMailRequest(counts, visitor.network);
      const passwordHash = await passwords.hash(password, 'owners');
      const { session, signedIn } = newSession(visitor, nowMs, random);
      const done = await redemptions.resetPassword({
        tokenHash,
        at: session.at,
        passwordHash,
        session,
        notice: passwordChanged({ baseUrl, from: visitor, nowMs }),
      });
      if (typeof done === 'string') refuseLink(done);
      mailWritten();
      return signedIn(done.accountId);
    },

    async setPassword({ accountId, current, password }: PasswordChange, visitor: Visitor): Promise<void> {
      const { network, cookies } = visitor;
      const nowMs = wallMs();
      const { email, passwordHash: stored } = await account(accountId);
      const session = hashOf(cookies.session);
      if (email === null || session === null) throw noOwner();
      requirePassword(password, { email, baseUrl }, '/new_password');
      if (stored !== null) {
        const guess = await guesses.begin({ network, email, knownBrowser: session });
        if (!(await passwords.verify(stored, current ?? '', 'owners'))) throw wrongCurrent(current);
        await guess.wasRight();
      } else await requireRecent(parts, session);
      await takeMailRequest(counts, network);
      const passwordHash = await passwords.hash(password, 'owners');
      const except = { session, browser: hashOf(cookies.browser) };
      const at = new Date(nowMs).toISOString();
      const notice = passwordChanged({ baseUrl, from: visitor, nowMs });
      const change = { accountId, passwordHash, before: stored, at, except, notice };
      if (!(await owners.setPassword(change))) throw wrongCurrent(current);
      mailWritten();
    },

    replaceKey: (token: string, from: SentFrom): Promise<ReplacedKey> => replaceLostKey(parts, token, from),
  };
}

/** Which mails an owner wants. */
const createChoices = ({ owners, wallMs }: AccountParts) => ({
  async setMarketing(accountId: string, optIn: boolean): Promise<void> {
    if (!(await owners.setMarketing(accountId, optIn, new Date(wallMs()).toISOString()))) throw noOwner();
  },
  async setMails(accountId: string, list: MailList, isOn: boolean): Promise<void> {
    if (!(await owners.setMails(accountId, list, isOn))) throw noOwner();
  },
});

async function accountOf(owners: AccountParts['owners'], accountId: string): Promise<OwnedAccount> {
  const found = await owners.ofAccount(accountId);
  if (!found) throw new AppError('not_found', 'There is no such account.');
  return found;
}

async function replaceLostKey(parts: AccountParts, token: string, from: SentFrom): Promise<ReplacedKey> {
  const { redemptions, random, wallMs, baseUrl, mailWritten } = parts;
  const nowMs = wallMs();
  const [at, graceUntil] = [nowMs, nowMs + GRACE_MS].map((ms) => new Date(ms).toISOString()) as [string, string];
  const tokenHash = hashOf(token) ?? refuseLink('unknown');
  const { key, hash, last4 } = newKey(random);
  const notice = keyReplaced({ baseUrl, from, nowMs }, { isRevealed: true });
  const done = await redemptions.replaceKey({ tokenHash, at, graceUntil, key: { hash, last4 }, notice });
  if (typeof done === 'string') refuseLink(done);
  if (!done.replaced) throw new AppError('conflict', NO_PRIMARY);
  mailWritten();
  return { key, ...done.replaced };
}

function requirePassword(password: string, of: PasswordOwner, pointer: string): void {
  const problem = passwordProblem(password, of, pointer);
  if (problem) throw invalid([problem]);
}

const noOwner = (): AppError =>
  new AppError('conflict', 'This account was made by an operator and has no owner who could sign in.');

function wrongCurrent(current: string | null): AppError {
  const pointer = '/current_password';
  const detail = current === null ? 'is needed: the account has a password.' : 'is wrong.';
  return invalid([{ pointer, detail: `${pointer} ${detail}` }]);
}
