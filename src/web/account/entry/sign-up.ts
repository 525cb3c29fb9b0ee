// Signing up: the form, and what comes after it.
import { FREE } from '../../../plans/plans';
import { type Html, html } from '../../html';
import { checkBox, formProblem, hidden, NEW_PASSWORD, PASSWORD_HINT, textField } from '../forms/fields';
import type { Filled } from '../forms/filled';
import { type AccountPage, taskPage } from '../page';

export interface SignUpWish {
  readonly plan: string | null;
  readonly referral: string | null;
}

export const SIGN_UP_LABELS = { email: 'Email', password: 'Password' };

const FORM = 'signup';

export function signUpPage(filled: Filled, { plan, referral }: SignUpWish): AccountPage {
  const title = 'Get your API key';
  const fields = html`${textField({ form: FORM, name: 'email', label: 'Email', type: 'email', autocomplete: 'email', isRequired: true, hint: 'We send one link to it. Your key is shown when you open the link.' }, filled)}
${textField({ form: FORM, name: 'password', label: html`Password <span class="optional">optional</span>`, ...NEW_PASSWORD, hint: `${PASSWORD_HINT} Without one you sign in by a link that we email.` }, filled)}
${checkBox({ form: FORM, name: 'terms_accepted', label: html`I accept the <a href="/terms">terms of use</a> and the <a href="/privacy">privacy statement</a>`, isRequired: true }, filled)}
${checkBox({ form: FORM, name: 'marketing_opt_in', label: 'Email me about new data and features' }, filled)}`;
  return taskPage(
    title,
    html`<p class="lead">Free, without a card: ${FREE.monthlyCredits.toLocaleString('en-AU')} credits a month for every race, runner and bookmaker.</p>
<form method="post" action="/signup">${formProblem(filled)}${wish(plan)}
${hidden('plan', plan)}${hidden('referral', referral)}${fields}
<button class="button primary wide">Send me the link</button></form>`,
    { below: html`You have an account? <a href="/login">Sign in</a>` },
  );
}

const wish = (plan: string | null): Html | null =>
  plan === null
    ? null
    : html`<p class="notice notice-good">Your key starts on the Free plan. You can change the plan on your account page.</p>`;

export interface MailedTo {
  readonly email: string;
  /** The address that was perhaps meant. */
  readonly suggestion: string | null;
}

/** Null: the browser does not know the address any more. */
export const checkMailPage = (sent: MailedTo | null): AccountPage =>
  taskPage(
    'Check your email',
    html`<p>We have sent a message to ${sent === null ? 'the address that you entered' : html`<strong>${sent.email}</strong>`}. Open the link in it to get your key.</p>
${sent?.suggestion != null && html`<p class="notice notice-warn">Did you mean <strong>${sent.suggestion}</strong>? Then <a href="/signup">enter it again</a>.</p>`}
<p>Nothing there after a minute? Look in the spam folder, then <a href="/signup">enter the address again</a>.</p>`,
    { below: html`Meanwhile: <a href="/docs">the API reference</a>` },
  );
