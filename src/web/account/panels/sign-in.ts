// How the owner signs in, which mail it gets, and signing out.
import { type Html, html } from '../../html';
import { checkBox, formProblem, NEW_PASSWORD, PASSWORD_HINT, textField } from '../forms/fields';
import { EMPTY, type Filled } from '../forms/filled';
import type { OwnAccount } from '../own-account';

export const PASSWORD_LABELS = { current_password: 'Present password', new_password: 'New password' };

export function signInPanel({ email, hasPassword }: OwnAccount, filled: Filled = EMPTY, isOpen = false): Html {
  const form = 'password';
  return html`<section class="panel" id="sign-in" aria-labelledby="sign-in-title"><h2 id="sign-in-title">Signing in</h2><div class="body">
<p class="small">${hasPassword ? 'You sign in with your email and password, or by a link that we email.' : 'You sign in by a link that we email. A password is optional.'}</p>
<details class="more"${isOpen && html` open`}><summary>${hasPassword ? 'Change the password' : 'Set a password'}</summary><form method="post" action="/account/password">${formProblem(filled)}
<input class="vh" type="text" name="username" value="${email ?? ''}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
${hasPassword && textField({ form, name: 'current_password', label: 'Present password', type: 'password', autocomplete: 'current-password', isRequired: true, maxLength: 1000 }, filled)}
${textField({ form, name: 'new_password', label: 'New password', ...NEW_PASSWORD, isRequired: true, hint: `${PASSWORD_HINT} Other devices are signed out.` }, filled)}
<button class="button">Save the password</button></form></details>
<p class="small"><a href="/account/passkeys">Passkeys</a>: sign in with a fingerprint, a face or a security key</p>
<p class="small"><a href="/account/email">Change the email address</a></p>
<details class="more"><summary>Sign out everywhere</summary><form method="post" action="/account/sign-out-everywhere"><p>Ends the session of every browser, this one included. API keys keep working.</p><button class="button danger">Sign out everywhere</button></form></details></div></section>`;
}

export function mailPanel({ email, marketingOptIn, creditMails, alertMails }: OwnAccount): Html | null {
  if (email === null) return null;
  return html`<section class="panel" id="mail" aria-labelledby="mail-title"><h2 id="mail-title">Email</h2><div class="body">
<p class="small">Messages about sign-in, keys and payments always go to <strong>${email}</strong>.</p>
<form method="post" action="/account/credit-mails">${checkBox({ form: 'credit-mails', name: 'on', label: 'Send a message at 80 % and at 100 % of the month’s credits', isOn: creditMails ?? false }, EMPTY)}
<button class="button">Save</button></form>
<form method="post" action="/account/alerts/mails">${checkBox({ form: 'alert-mails', name: 'on', label: 'Send a message when the price of an alert is there', isOn: alertMails ?? false }, EMPTY)}
<button class="button">Save</button></form>
<form method="post" action="/account/marketing">${checkBox({ form: 'marketing', name: 'opt_in', label: 'Also send news about data and features', isOn: marketingOptIn ?? false }, EMPTY)}
<button class="button">Save</button></form></div></section>`;
}
