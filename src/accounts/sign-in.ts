// Sign-in by password or by a mailed link: both give the same session of 30 days (A 5.4). A wrong password and an
// address without an account are answered alike, after the same work: one query, the same budgets, one comparison.
import { AppError } from '../errors';
import { takeMailRequest } from './guesses';
import { refuseLink, requireAddress } from './mailed-links';
import type { AccountParts } from './parts';
import type { Lane } from './passwords';
import { hashOf } from './token';
import { newSession, type SessionCookies, type Visitor } from './visitor';

const WRONG = 'The email address or the password is wrong.';

export function createSignIn(parts: AccountParts) {
  const { owners, sessions, redemptions, passwords, counts, random, wallMs, mailedLinks, guesses } = parts;

  const ask =
    (purpose: 'login' | 'reset' | 'replace_key') =>
    async (email: string, { network, cookies }: Visitor): Promise<void> => {
      const address = requireAddress(email);
      await takeMailRequest(counts, network);
      await mailedLinks.ask(await mailedLinks.wish(address, hashOf(cookies.browser), wallMs()), purpose);
    };

  const renewHash = async (accountId: string, before: string, password: string, lane: Lane): Promise<void> =>
    owners.renewHash(accountId, before, await passwords.hash(password, lane));

  return {
    askLogin: ask('login'),
    askReset: ask('reset'),
    askKeyReplacement: ask('replace_key'),

    async login(
      { email, password }: { readonly email: string; readonly password: string },
      visitor: Visitor,
    ): Promise<SessionCookies> {
      const { network, cookies } = visitor;
      const address = requireAddress(email);
      const { session, signedIn } = newSession(visitor, wallMs(), random);
      const browser = hashOf(cookies.browser);
      const owner = await owners.byEmail(address.email, browser, session.at);
      const knownBrowser = owner?.isKnownBrowser ? browser : null;
      const guess = await guesses.begin({ network, email: address.email, knownBrowser });
      const lane = knownBrowser ? 'owners' : 'anyone';
      const isRight = await passwords.verify(owner?.passwordHash ?? null, password, lane);
      const hash = owner?.passwordHash ?? null;
      if (!isRight || owner === null || hash === null) throw new AppError('unauthorized', WRONG);
      await guess.wasRight();
      if (!(await sessions.start(owner.accountId, hash, session))) throw new AppError('unauthorized', WRONG);
      // If this fails, the next sign-in tries again.
      if (passwords.isOutdated(hash)) await renewHash(owner.accountId, hash, password, lane).catch(() => undefined);
      return signedIn(owner.accountId);
    },

    async loginByLink(token: string, visitor: Visitor): Promise<SessionCookies> {
      const tokenHash = hashOf(token) ?? refuseLink('unknown');
      const { session, signedIn } = newSession(visitor, wallMs(), random);
      const found = await redemptions.signIn({ tokenHash, at: session.at, session });
      return typeof found === 'string' ? refuseLink(found) : signedIn(found.accountId);
    },
  };
}
