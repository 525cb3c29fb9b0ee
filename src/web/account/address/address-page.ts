// Changing the address of the account: the form, and what comes after it.
import type { OwnedAccount } from '../../../store/accounts/owners';
import { html } from '../../html';
import { formProblem, textField } from '../forms/fields';
import type { Filled } from '../forms/filled';
import { type AccountPage, taskPage } from '../page';

export const ADDRESS_LABELS = { email: 'New email', password: 'Password' };

const FORM = 'address';
const BACK = html`<a href="/account">Back to your account</a>`;

export const addressPage = (
  { email, passwordHash }: Pick<OwnedAccount, 'email' | 'passwordHash'>,
  filled: Filled,
): AccountPage =>
  taskPage(
    'Change your email',
    html`<p>Your account has <strong>${email}</strong>. We send a link to the new address: nothing changes before you open it. The old address then gets a message, with a link that takes the change back for 7 days.</p>
<form method="post" action="/account/email">${formProblem(filled)}
${textField({ form: FORM, name: 'email', label: ADDRESS_LABELS.email, type: 'email', autocomplete: 'email', isRequired: true }, filled)}
${passwordHash !== null && textField({ form: FORM, name: 'password', label: ADDRESS_LABELS.password, type: 'password', autocomplete: 'current-password', isRequired: true, maxLength: 1000 }, filled)}
<button class="button primary wide">Send me the link</button></form>`,
    { below: BACK },
  );

/** The same for an address with and without an account. */
export const addressSentPage = (): AccountPage =>
  taskPage(
    'Check your new mailbox',
    html`<p>A message to the address that you entered is on its way. The link in it works for 24 hours, once.</p>
<p>Nothing there after a minute? Look in the spam folder, or <a href="/account/email">enter the address again</a>.</p>`,
    { below: BACK },
  );
