// Sign-in by password or by a mailed link: both give the same session of 30 days (A 5.4). A wrong password and an
// address without an account are answered alike, after the same work: one query, the same budgets, one comparison.
import { AppError } from '../errors';
import { takeMailRequest } from './guesses';
import { refuseLink, requireAddress } from './mailed-links';
import { newBrowser } from './notices/security-notices';
import type { AccountParts } from './parts';
import { hashOf } from './token';
import { newSession, type SessionCookies, type Visitor } from './visitor';

const WRONG = 'The email address or the password is wrong.';

export function createSignIn(parts: AccountParts) {
  const { counts, wallMs, mailedLinks } = parts;

  const ask =
    (purpose: 'login' | 'reset' | 'replace_key') =>
    async (email: string, { network, cookies }: Visitor): Promise<void> => {
      const address = requireAddress(email);
      await takeMailRequest(counts, network);
      await mailedLinks.ask(await mailedLinks.wish(address, hashOf(cookies.browser), wallMs()), purpose);
    };

  return {
    askLogin: ask('login'),
    askReset: ask('reset'),
    askKeyReplacement: ask('replace_key'),
    login: (credentials: Credentials, visitor: Visitor) => login(parts, credentials, visitor),
    loginByLink: (token: string, visitor: Visitor) => loginByLink(parts, token, visitor),
  };
}

interface Credentials {
  readonly email: string;
  readonly password: string;
}

async function login(parts: AccountParts, { email, password }: Credentials, visitor: Visitor): Promise<SessionCookies> {
  const { owners, sessions, passwords, random, wallMs, guesses, baseUrl, mailWritten } = parts;
  const { network, cookies } = visitor;
  const address = requireAddress(email);
  const nowMs = wallMs();
  const { session, signedIn } = newSession(visitor, nowMs, random);
  const browser = hashOf(cookies.browser);
  const owner = await owners.byEmail(address.email, browser, session.at);
  const knownBrowser = owner?.isKnownBrowser ? browser : null;
  const guess = await guesses.begin({ network, email: address.email, knownBrowser });
  const lane = knownBrowser ? 'owners' : 'anyone';
  const isRight = await passwords.verify(owner?.passwordHash ?? null, password, lane);
  const hash = owner?.passwordHash ?? null;
  if (!isRight || owner === null || hash === null) throw new AppError('unauthorized', WRONG);
  await guess.wasRight();
  const notice = newBrowser({ baseUrl, from: visitor, nowMs });
  if (!(await sessions.start(owner.accountId, hash, session, notice))) throw new AppError('unauthorized', WRONG);
  mailWritten();
  // If this fails, the next sign-in tries again.
  const renew = async () => owners.renewHash(owner.accountId, hash, await passwords.hash(password, lane));
  if (passwords.isOutdated(hash)) await renew().catch(() => undefined);
  return signedIn(owner.accountId);
}

async function loginByLink(parts: AccountParts, token: string, visitor: Visitor): Promise<SessionCookies> {
  const { redemptions, random, wallMs, baseUrl, mailWritten } = parts;
  const tokenHash = hashOf(token) ?? refuseLink('unknown');
  const nowMs = wallMs();
  const { session, signedIn } = newSession(visitor, nowMs, random);
  const notice = newBrowser({ baseUrl, from: visitor, nowMs });
  const found = await redemptions.signIn({ tokenHash, at: session.at, session, notice });
  if (typeof found === 'string') return refuseLink(found);
  mailWritten();
  return signedIn(found.accountId);
}
