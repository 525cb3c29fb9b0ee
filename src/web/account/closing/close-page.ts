// Closing the account: what ends, what stays and what it costs, before the owner confirms.
import type { Standing } from '../../../accounts/billing/standing';
import type { OwnedAccount } from '../../../store/accounts/owners';
import { type Html, html } from '../../html';
import { formProblem, textField } from '../forms/fields';
import type { Filled } from '../forms/filled';
import { dayText } from '../moments';
import { type AccountPage, taskPage } from '../page';

export const CLOSE_LABELS = { email: 'Email of this account', password: 'Password' };

const FORM = 'close';

export interface ClosedByOwner {
  readonly account: Pick<OwnedAccount, 'email' | 'passwordHash'>;
  /** Null: the service takes no payments. */
  readonly standing: Standing | null;
}

export const closePage = ({ account, standing }: ClosedByOwner, filled: Filled): AccountPage =>
  taskPage(
    'Close your account',
    html`<p>Closing cannot be undone. At once:</p>
<ul><li>every key stops, and so do streams, webhooks, widgets and jobs;</li>
<li>you are signed out on every device;</li>
<li>your email address, your password, your passkeys, your choice of bookmakers, your price alerts, the names of your keys and the addresses of your webhooks are deleted.</li></ul>
${standing && money(standing)}<p>Invoices and the credit ledger stay, as tax law requires, under the number of the account alone. You can sign up with this address again; what you used this month counts for the new account.</p>
<p><a href="/account/export">Export your data</a> first: afterwards you cannot sign in.</p>
<form method="post" action="/account/close">${formProblem(filled)}
${textField({ form: FORM, name: 'email', label: CLOSE_LABELS.email, type: 'email', isRequired: true, hint: html`Type <strong>${account.email}</strong> to confirm.` }, filled)}
${account.passwordHash !== null && textField({ form: FORM, name: 'password', label: CLOSE_LABELS.password, type: 'password', autocomplete: 'current-password', isRequired: true, maxLength: 1000 }, filled)}
<button class="button danger wide">Close the account for good</button></form>`,
    { below: html`<a href="/account">Back to your account</a>` },
  );

function money({ current, isCustomer }: Standing): Html | null {
  if (!isCustomer) return null;
  return html`<p class="notice notice-warn">${current && `The ${current.offer.plan.title} plan is paid until ${dayText(current.paidUntil)}. It ends at once, and nothing of it is refunded. `}What you used beyond the plan this month is invoiced.</p>`;
}
