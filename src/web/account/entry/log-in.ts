// Signing in: by a password, by a mailed link or with a passkey. One form: the address is typed once.
import { html } from '../../html';
import { formProblem, textField } from '../forms/fields';
import type { Filled } from '../forms/filled';
import { type AccountPage, notice, taskPage } from '../page';

const FORM = 'login';
export const LOG_IN_LABELS = { email: 'Email', password: 'Password' };

/** `done`: what has just been done elsewhere. */
export const logInPage = (filled: Filled, done: string | null = null): AccountPage =>
  taskPage(
    'Sign in',
    html`${done !== null && notice(done)}<form method="post" action="/login">${formProblem(filled)}
${textField({ form: FORM, name: 'email', label: 'Email', type: 'email', autocomplete: 'username', isRequired: true }, filled)}
${textField({ form: FORM, name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxLength: 1000 }, filled)}
<button class="button primary wide">Sign in</button>
<p class="or"><span>or, without a password</span></p>
<button class="button wide" formaction="/login/request">Email me a sign-in link</button>
<button class="button wide" formaction="/login/passkey" formnovalidate>Sign in with a passkey</button></form>`,
    { below: html`<a href="/forgot">Forgot your password?</a> · <a href="/signup">Get a free key</a>` },
  );

/** The same for an address with and without an account. */
export const linkSentPage = (email: string | null): AccountPage =>
  taskPage(
    'Check your email',
    html`<p>If ${email === null ? 'the address that you entered' : html`<strong>${email}</strong>`} has an account, a message with a link is on its way. The link works once and for a short time.</p>
<p>Nothing there after a minute? Look in the spam folder, or <a href="/login">try again</a>.</p>`,
    { below: html`No account yet? <a href="/signup">Get a free key</a>` },
  );
