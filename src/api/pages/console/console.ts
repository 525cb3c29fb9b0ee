// The source of the account pages over the services of accounts. Cookies are turned into a visitor, and a sign-in into
// cookies, as by the operations.
import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from '../../../accounts/passwords';
import type { SessionCookies } from '../../../accounts/visitor';
import { PLANS, planNamed } from '../../../plans/plans';
import type { AccountSource, Visitor } from '../../../web/account/source';
import { type Sessions, sessionCookie } from '../../kernel/session/session';
import { keepSignedIn, keepSignup, visitorOf } from '../../kernel/session/visitor';
import { newKeyOf, type OwnerDeps, ownerOf } from './owner';
import { planCard } from './plan-cards';

export type ConsoleDeps = Omit<OwnerDeps, 'forget'> &
  Pick<AccountSource, 'ownOrigins'> & { readonly find: Sessions['find'] };

const FREE = PLANS[0]!;
/** Of the key of a new account. */
const LABEL = 'My Key';

export function createConsole(deps: ConsoleDeps): AccountSource {
  const { accounts, baseUrl, ownOrigins, find } = deps;
  const cookie = sessionCookie(baseUrl);
  const of = (visitor: Visitor) => visitorOf(visitor, baseUrl);
  const keep = (visitor: Visitor, signedIn: SessionCookies) => keepSignedIn(visitor, baseUrl, signedIn);
  const ownerDeps: OwnerDeps = { ...deps, forget: ({ setCookie }) => setCookie(cookie, '', 0) };
  return {
    baseUrl,
    ownOrigins,
    freePlan: planCard(FREE),
    passwordLength: { least: LEAST_PASSWORD_CHARACTERS, most: MOST_PASSWORD_CHARACTERS },
    async signUp(visitor, { email, password, marketingOptIn, plan, referral }) {
      const wanted = PLANS.find(({ id, monthlyPriceAud }) => id === plan && monthlyPriceAud !== null) ?? FREE;
      const details = { label: LABEL, useCase: null, useCaseNote: null, referral, marketingOptIn };
      const pending = await accounts.signUp({ email, password, plan: wanted.id, ...details }, of(visitor));
      keepSignup(visitor, baseUrl, pending);
      return { suggestion: pending.suggestion };
    },
    viewLink: (token) => accounts.viewLink(token),
    async verify(visitor, token) {
      const { key, signedIn, wantedPlan, hasPassword } = await accounts.verify(token, of(visitor));
      keep(visitor, signedIn);
      const wanted = planNamed(wantedPlan);
      return {
        key,
        previousValidUntilMs: null,
        wantedPlan: wanted && wanted.id !== FREE.id ? planCard(wanted) : null,
        hasPassword,
      };
    },
    logIn: async (visitor, email, password) => keep(visitor, await accounts.login({ email, password }, of(visitor))),
    mailLoginLink: (visitor, email) => accounts.askLogin(email, of(visitor)),
    mailResetLink: (visitor, email) => accounts.askReset(email, of(visitor)),
    logInByLink: async (visitor, token) => keep(visitor, await accounts.loginByLink(token, of(visitor))),
    resetPassword: async (visitor, token, password) =>
      keep(visitor, await accounts.reset(token, password, of(visitor))),
    replaceKey: async (_, token) => newKeyOf(await accounts.replaceKey(token)),
    hasSession: (visitor) => visitor.cookie(cookie) !== undefined,
    async signedIn(visitor) {
      const session = await find(visitor.cookie(cookie));
      return session && ownerOf(ownerDeps, session, visitor);
    },
  };
}
