// Signing up, signing in, and what mailed links open. After a form the browser is sent on, except where a key is shown:
// that response is its only place.
import type { AppError } from '../../../errors';
import { type Html, html } from '../../html';
import { again, EMPTY, type Filled, refused } from '../forms/filled';
import type { AccountPage } from '../page';
import type { AccountSource, LinkPurpose, LinkView, Verified, Visitor } from '../source';
import type { Act, Visit, VisitAnswer, Visits } from '../visits';
import { forgotPage, RESET_LABELS, resetPage } from './forgot';
import { LOG_IN_LABELS, linkSentPage, logInPage } from './log-in';
import { type ButtonPurpose, deadLinkPage, linkPath, mailedLinkPage, newKeyTitle, reasonOf } from './mailed-link';
import { newKeyPage } from './new-key';
import { checkMailPage, type MailedTo, SIGN_UP_LABELS, type SignUpWish, signUpPage } from './sign-up';

export function entryRoutes({ get, post }: Visits, source: AccountSource): void {
  get('/signup', async ({ query }) => ({ page: signUpPage(source, EMPTY, wishOf(query, 'referral')) }));
  post('/signup', signUp(source), ({ form }, error) => ({
    page: signUpPage(source, refusedSignUp(form, error), wishOf(form, 'referral')),
  }));
  get('/signup/sent', async ({ visitor }) => ({ page: checkMailPage(mailedTo(visitor)) }));

  get('/login', async ({ visitor, query }) => {
    if (await source.signedIn(visitor)) return { to: '/account' };
    return { page: logInPage(EMPTY, query.get('done') === 'signed-out' ? 'You are signed out.' : null) };
  });
  post('/login', logIn(source), ({ form }, error) => ({ page: logInPage(refused(form, LOG_IN_LABELS, error)) }));
  post(
    '/login/request',
    mailing((visitor, email) => source.mailLoginLink(visitor, email), '/login/sent', logInPage),
    ({ form }, error) => ({
      page: logInPage(refused(form, LOG_IN_LABELS, error)),
    }),
  );
  get('/login/sent', async ({ visitor }) => ({ page: linkSentPage(mailedTo(visitor)?.email ?? null) }));

  get('/forgot', async () => ({ page: forgotPage(EMPTY) }));
  post(
    '/forgot',
    mailing((visitor, email) => source.mailResetLink(visitor, email), '/login/sent', forgotPage),
    ({ form }, error) => ({
      page: forgotPage(refused(form, { email: 'Email' }, error)),
    }),
  );

  linkRoutes({ get, post }, source);
}

function linkRoutes({ get, post }: Visits, source: AccountSource): void {
  const opened = async (
    purpose: LinkPurpose,
    query: URLSearchParams,
    page: (link: LinkView, token: string) => AccountPage,
  ): Promise<VisitAnswer> => {
    const token = tokenOf(query);
    const link = await source.viewLink(token);
    if (link.purpose === purpose && link.state === 'open') return { page: page(link, token) };
    return { status: link.state === 'unknown' ? 404 : 410, page: deadLinkPage(purpose, reasonOf(link)) };
  };
  const button = (purpose: ButtonPurpose, press: Act): void => {
    get(linkPath(purpose), ({ query }) =>
      opened(purpose, query, (link, token) => mailedLinkPage(purpose, link, token)),
    );
    post(linkPath(purpose), press, (_, error) => ({ page: deadLinkPage(purpose, error.message) }));
  };

  button('verify', async ({ visitor, form }) => {
    const verified = await source.verify(visitor, tokenOf(form));
    const page = newKeyPage(newKeyTitle('verify'), verified, source.baseUrl, nextSteps(verified));
    return { page: { ...page, signsIn: true } };
  });
  button('login', async ({ visitor, form }) => {
    await source.logInByLink(visitor, tokenOf(form));
    return { to: '/account' };
  });
  button('replace_key', async ({ visitor, form }) => {
    const minted = await source.replaceKey(visitor, tokenOf(form));
    return { page: newKeyPage(newKeyTitle('replace_key'), minted, source.baseUrl) };
  });

  get('/reset', ({ query }) => opened('reset', query, ({ email }, token) => resetPage(source, EMPTY, email, token)));
  post('/reset', reset(source), ({ form }, error) => ({ page: resetAgain(source, form, error) }));
}

const reset =
  (source: AccountSource): Act =>
  async ({ visitor, form }) => {
    const password = form.get('password') ?? '';
    if (password === '') {
      const filled = again(form, { password: 'Enter a new password.' });
      return { status: 422, page: resetPage(source, filled, null, tokenOf(form)) };
    }
    await source.resetPassword(visitor, tokenOf(form), password);
    return { to: '/account?done=password' };
  };

/** What is wrong with the password stands beside it; everything else is wrong with the link. */
function resetAgain(source: AccountSource, form: URLSearchParams, error: AppError): AccountPage {
  const filled = refused(form, RESET_LABELS, error);
  if ('password' in filled.problems) return resetPage(source, filled, null, tokenOf(form));
  return deadLinkPage('reset', error.message);
}

const nextSteps = ({
  wantedPlan,
  hasPassword,
}: Verified): Html => html`${wantedPlan !== null && html`<p class="notice notice-good">You are on the Free plan. <a href="/account#plan">Continue to ${wantedPlan.title}</a></p>`}
<p class="small">You are signed in. ${hasPassword ? 'Next time, sign in with your email and password.' : 'Next time, sign in by a link that we email, or set a password on your account page.'}</p>`;

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

function signUp(source: AccountSource): Act {
  return async ({ visitor, form }: Visit) => {
    const email = emailOf(form);
    const wish = wishOf(form, 'referral');
    const missing: Record<string, string> = {};
    if (!isEmail(email)) missing.email = NO_EMAIL;
    if (!form.has('terms_accepted')) missing.terms_accepted = 'Accept the terms of use to get a key.';
    if (Object.keys(missing).length > 0) return { status: 422, page: signUpPage(source, again(form, missing), wish) };
    const password = form.get('password') || null;
    const agreed = { termsAccepted: true, marketingOptIn: form.has('marketing_opt_in') };
    const { suggestion } = await source.signUp(visitor, { email, password, ...agreed, ...wish });
    return mailed(visitor, { email, suggestion }, '/signup/sent');
  };
}

function logIn(source: AccountSource): Act {
  return async ({ visitor, form }) => {
    const email = emailOf(form);
    const password = form.get('password') ?? '';
    const missing: Record<string, string> = {};
    if (!isEmail(email)) missing.email = NO_EMAIL;
    if (password === '') missing.password = 'Enter your password, or have a sign-in link emailed.';
    if (Object.keys(missing).length > 0) return { status: 422, page: logInPage(again(form, missing)) };
    await source.logIn(visitor, email, password);
    return { to: '/account' };
  };
}

function mailing(mail: (visitor: Visitor, email: string) => Promise<void>, to: string, page: typeof forgotPage): Act {
  return async ({ visitor, form }) => {
    const email = emailOf(form);
    if (!isEmail(email)) return { status: 422, page: page(again(form, { email: NO_EMAIL })) };
    await mail(visitor, email);
    return mailed(visitor, { email, suggestion: null }, to);
  };
}

const NO_EMAIL = 'Enter your email address, for example name@example.com.';
const emailOf = (form: URLSearchParams): string => (form.get('email') ?? '').trim();
/** A first look: whether an address receives mail is judged by the account service. */
const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

// The next page names the address, so that a slip is seen. The browser keeps it: it is never in the address of a page.
const MAILED_TO = 'mailed_to';
const MAILED_TO_SECONDS = 600;

function mailed(visitor: Visitor, { email, suggestion }: MailedTo, to: string): VisitAnswer {
  const text = [email, suggestion].filter(Boolean).join(' ');
  visitor.setCookie(MAILED_TO, encodeURIComponent(text.slice(0, 600)), MAILED_TO_SECONDS);
  return { to };
}

function mailedTo(visitor: Visitor): MailedTo | null {
  try {
    const [email, suggestion = null] = decodeURIComponent(visitor.cookie(MAILED_TO) ?? '').split(' ');
    return email ? { email, suggestion } : null;
  } catch {
    return null;
  }
}
