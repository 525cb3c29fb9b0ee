// Signing up, signing in, and what mailed links open. After a form the browser is sent on, except where a key is shown:
// that response is its only place.
import { NotSignedIn } from '../../../accounts/email/change-address';
import type { LinkView } from '../../../accounts/mailed-links';
import type { VerifiedAccount } from '../../../accounts/signup';
import type { Visitor } from '../../../accounts/visitor';
import type { AppError } from '../../../errors';
import { FREE, PLANS, planNamed } from '../../../plans/plans';
import type { LinkPurpose } from '../../../store/accounts/links';
import { type Html, html } from '../../html';
import type { AccountBrowser, AccountPagesDeps } from '../deps';
import { again, EMPTY, type Filled, refused } from '../forms/filled';
import type { AccountPage } from '../page';
import { passkeySignInPage } from '../passkeys/use-page';
import type { Act, Again, Visit, VisitAnswer, Visits } from '../visits';
import { forgotPage, RESET_LABELS, resetPage } from './forgot';
import { LOG_IN_LABELS, linkSentPage, logInPage } from './log-in';
import {
  type ButtonPurpose,
  deadLinkPage,
  linkPath,
  mailedLinkPage,
  newKeyTitle,
  reasonOf,
  signInFirstPage,
} from './mailed-link';
import { newKeyPage } from './new-key';
import { checkMailPage, type MailedTo, SIGN_UP_LABELS, type SignUpWish, signUpPage } from './sign-up';

export function entryRoutes(visits: Visits, deps: AccountPagesDeps): void {
  const { get, post } = visits;
  get('/signup', async ({ query }) => ({ page: signUpPage(EMPTY, wishOf(query, 'referral')) }));
  post('/signup', signUp(deps), ({ form }, error) => ({
    page: signUpPage(refusedSignUp(form, error), wishOf(form, 'referral')),
  }));
  get('/signup/sent', async ({ browser }) => ({ page: checkMailPage(mailedTo(browser)) }));

  get('/login', async ({ browser, query }) => {
    const done = query.get('done');
    if (await browser.session()) return { to: done === 'address' ? '/account?done=address' : '/account' };
    return { page: logInPage(EMPTY, DONE.get(done ?? '') ?? null) };
  });
  const logInAgain: Again = ({ form }, error) => ({ page: logInPage(refused(form, LOG_IN_LABELS, error)) });
  post('/login', logIn(deps), logInAgain);
  post('/login/request', mailing(deps.accounts.askLogin, '/login/sent', logInPage), logInAgain);
  post(
    '/login/passkey',
    async ({ browser }) => {
      const { options, ...wanted } = await deps.accounts.requestPasskey(browser.visitor);
      browser.keepPasskeyTry(wanted);
      return { page: passkeySignInPage(options) };
    },
    logInAgain,
  );
  post(
    '/login/passkey/finish',
    async ({ browser, form }) => {
      browser.keepSignedIn(await deps.accounts.loginByPasskey(form.get('credential') ?? '', browser.visitor));
      return { to: '/account' };
    },
    logInAgain,
  );
  get('/login/sent', async ({ browser }) => ({ page: linkSentPage(mailedTo(browser)?.email ?? null) }));

  get('/forgot', async () => ({ page: forgotPage(EMPTY) }));
  post('/forgot', mailing(deps.accounts.askReset, '/login/sent', forgotPage), ({ form }, error) => ({
    page: forgotPage(refused(form, { email: 'Email' }, error)),
  }));

  linkRoutes(visits, deps);
}

/** What was just done, by the name in the address. */
const DONE: ReadonlyMap<string, string> = new Map([
  ['signed-out', 'You are signed out.'],
  ['address', 'Your account has the new address. Sign in with it.'],
  ['address-back', 'The change is taken back. Sign in by a link, and set a new password.'],
  ['closed', 'Your account is closed. A last message confirms it.'],
]);

function linkRoutes({ get, post }: Visits, { accounts, baseUrl }: AccountPagesDeps): void {
  const opened = async (
    purpose: LinkPurpose,
    query: URLSearchParams,
    page: (link: LinkView, token: string) => AccountPage,
  ): Promise<VisitAnswer> => {
    const token = tokenOf(query);
    const link = await accounts.viewLink(token);
    if (link.purpose === purpose && link.state === 'open') return { page: page(link, token) };
    return { status: link.state === 'unknown' ? 404 : 410, page: deadLinkPage(purpose, reasonOf(link)) };
  };
  const button = (purpose: ButtonPurpose, press: Act): void => {
    get(linkPath(purpose), ({ query }) =>
      opened(purpose, query, (link, token) => mailedLinkPage(purpose, link, token)),
    );
    post(linkPath(purpose), press, (_, error) => ({
      page: error instanceof NotSignedIn ? signInFirstPage(error.message) : deadLinkPage(purpose, error.message),
    }));
  };

  button('verify', async ({ browser, form }) => {
    const { signedIn, ...verified } = await accounts.verify(tokenOf(form), browser.visitor);
    browser.keepSignedIn(signedIn);
    const page = newKeyPage(newKeyTitle('verify'), verified, baseUrl, nextSteps(verified));
    return { page: { ...page, signsIn: true } };
  });
  button('login', async ({ browser, form }) => {
    browser.keepSignedIn(await accounts.loginByLink(tokenOf(form), browser.visitor));
    return { to: '/account' };
  });
  button('replace_key', async ({ browser, form }) => {
    const replaced = await accounts.replaceKey(tokenOf(form), browser.visitor);
    return { page: newKeyPage(newKeyTitle('replace_key'), replaced, baseUrl) };
  });

  button('change_email', async ({ browser, form }) => {
    const session = await browser.session();
    await accounts.confirmAddress(tokenOf(form), session?.accountId ?? null);
    return { to: '/login?done=address' };
  });
  button('undo_email', async ({ browser, form }) => {
    await accounts.undoAddress(tokenOf(form));
    browser.forgetSession();
    return { to: '/login?done=address-back' };
  });

  get('/reset', ({ query }) => opened('reset', query, ({ email }, token) => resetPage(EMPTY, email, token)));
  post('/reset', reset(accounts), ({ form }, error) => ({ page: resetAgain(form, error) }));
}

const reset =
  (accounts: AccountPagesDeps['accounts']): Act =>
  async ({ browser, form }) => {
    const password = form.get('password') ?? '';
    if (password === '') {
      const filled = again(form, { password: 'Enter a new password.' });
      return { status: 422, page: resetPage(filled, null, tokenOf(form)) };
    }
    browser.keepSignedIn(await accounts.reset(tokenOf(form), password, browser.visitor));
    return { to: '/account?done=password' };
  };

/** What is wrong with the password stands beside it; everything else is wrong with the link. */
function resetAgain(form: URLSearchParams, error: AppError): AccountPage {
  const filled = refused(form, RESET_LABELS, error);
  if ('password' in filled.problems) return resetPage(filled, null, tokenOf(form));
  return deadLinkPage('reset', error.message);
}

function nextSteps({ wantedPlan, hasPassword }: Omit<VerifiedAccount, 'signedIn'>): Html {
  const wanted = planNamed(wantedPlan);
  return html`${wanted && wanted !== FREE && html`<p class="notice notice-good">You are on the Free plan. <a href="/account#plan">Continue to ${wanted.title}</a></p>`}
<p class="small">You are signed in. ${hasPassword ? 'Next time, sign in with your email and password.' : 'Next time, sign in by a link that we email, or set a password on your account page.'}</p>`;
}

/** Longer ones are no tokens of ours, and find none. */
const tokenOf = (from: URLSearchParams): string => (from.get('token') ?? '').slice(0, 200);

const NAME = /^[\w-]{1,64}$/;
const named = (text: string | null): string | null => (text !== null && NAME.test(text) ? text : null);
const wishOf = (from: URLSearchParams, referral: string): SignUpWish => ({
  plan: named(from.get('plan')),
  referral: named(from.get(referral)),
});

/** An address that cannot receive mail is what is wrong with its field. */
function refusedSignUp(form: URLSearchParams, error: AppError): Filled {
  if (error.status === 400) return again(form, { email: error.message });
  return refused(form, SIGN_UP_LABELS, error);
}

/** Of the key of a new account. */
const LABEL = 'My Key';

function signUp({ accounts }: AccountPagesDeps): Act {
  return async ({ browser, form }: Visit) => {
    const email = emailOf(form);
    const wish = wishOf(form, 'referral');
    const missing: Record<string, string> = {};
    if (!isEmail(email)) missing.email = NO_EMAIL;
    if (!form.has('terms_accepted'))
      missing.terms_accepted = 'Accept the terms of use and the privacy statement to get a key.';
    if (Object.keys(missing).length > 0) return { status: 422, page: signUpPage(again(form, missing), wish) };
    const password = form.get('password') || null;
    const { id: plan } = PLANS.find(({ id, monthlyPriceAud }) => id === wish.plan && monthlyPriceAud !== null) ?? FREE;
    const details = { label: LABEL, useCase: null, useCaseNote: null, marketingOptIn: form.has('marketing_opt_in') };
    const { referral } = wish;
    const pending = await accounts.signUp({ email, password, plan, referral, ...details }, browser.visitor);
    browser.keepSignup(pending);
    return mailed(browser, { email, suggestion: pending.suggestion }, '/signup/sent');
  };
}

function logIn({ accounts }: AccountPagesDeps): Act {
  return async ({ browser, form }) => {
    const email = emailOf(form);
    const password = form.get('password') ?? '';
    const missing: Record<string, string> = {};
    if (!isEmail(email)) missing.email = NO_EMAIL;
    if (password === '') missing.password = 'Enter your password, or have a sign-in link emailed.';
    if (Object.keys(missing).length > 0) return { status: 422, page: logInPage(again(form, missing)) };
    browser.keepSignedIn(await accounts.login({ email, password }, browser.visitor));
    return { to: '/account' };
  };
}

function mailing(mail: (email: string, visitor: Visitor) => Promise<void>, to: string, page: typeof forgotPage): Act {
  return async ({ browser, form }) => {
    const email = emailOf(form);
    if (!isEmail(email)) return { status: 422, page: page(again(form, { email: NO_EMAIL })) };
    await mail(email, browser.visitor);
    return mailed(browser, { email, suggestion: null }, to);
  };
}

const NO_EMAIL = 'Enter your email address, for example name@example.com.';
const emailOf = (form: URLSearchParams): string => (form.get('email') ?? '').trim();
/** A first look: whether an address receives mail is judged by the account service. */
const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

// The next page names the address, so that a slip is seen. The browser keeps it: it is never in the address of a page.
const MAILED_TO = 'mailed_to';
const MAILED_TO_SECONDS = 600;

function mailed(browser: AccountBrowser, { email, suggestion }: MailedTo, to: string): VisitAnswer {
  const text = [email, suggestion].filter(Boolean).join(' ');
  browser.setCookie(MAILED_TO, encodeURIComponent(text.slice(0, 600)), MAILED_TO_SECONDS);
  return { to };
}

function mailedTo(browser: AccountBrowser): MailedTo | null {
  try {
    const [email, suggestion = null] = decodeURIComponent(browser.cookie(MAILED_TO) ?? '').split(' ');
    return email ? { email, suggestion } : null;
  } catch {
    return null;
  }
}
