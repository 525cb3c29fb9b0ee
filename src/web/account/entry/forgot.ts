// A new password for an owner who has forgotten the old one.
import { html } from '../../html';
import { formProblem, hidden, NEW_PASSWORD, PASSWORD_HINT, textField } from '../forms/fields';
import type { Filled } from '../forms/filled';
import { type AccountPage, taskPage } from '../page';

export const forgotPage = (filled: Filled): AccountPage =>
  taskPage(
    'Forgot your password?',
    html`<p class="lead">We email you a link to choose a new one.</p>
<form method="post" action="/forgot">${formProblem(filled)}
${textField({ form: 'forgot', name: 'email', label: 'Email', type: 'email', autocomplete: 'username', isRequired: true }, filled)}
<button class="button primary wide">Send me the link</button></form>`,
    { below: html`<a href="/login">Back to sign in</a>` },
  );

export const RESET_LABELS = { password: 'Password' };

export const resetPage = (filled: Filled, email: string | null, token: string): AccountPage =>
  taskPage(
    'Choose a new password',
    html`${email !== null && html`<p class="lead">For <strong>${email}</strong></p>`}<p>A new password signs out every other device. Your API keys keep working.</p>
<form method="post" action="/reset">${formProblem(filled)}${hidden('token', token)}
${textField({ form: 'reset', name: 'password', label: 'New password', ...NEW_PASSWORD, isRequired: true, hint: PASSWORD_HINT }, filled)}
<button class="button primary wide">Save the password</button></form>`,
    { hasToken: true },
  );
