// The account page: key, credits and plan first, settings after them.
import { publicKeyId } from '../../../plans/key-id';
import { html } from '../../html';
import { alertsPanel } from '../alerts/panel';
import { closingPanel } from '../closing/panel';
import { creditsPanel } from '../credits/panel';
import { formProblem } from '../forms/fields';
import type { Filled } from '../forms/filled';
import type { OwnAccount } from '../own-account';
import { type AccountPage, notice } from '../page';
import { refusedPanel } from '../refused/panel';
import { webhooksPanel } from '../webhooks/panel';
import { dataPanel } from './data';
import { allowPanel, keyPanel } from './key';
import { planPanel } from './plan';
import { referralPanel } from './referral';
import { mailPanel, signInPanel } from './sign-in';
import { type TeamForm, teamPanel } from './team';
import { widgetsPanel } from './widgets';

/** The one form of the page that is shown again with its problems. */
export type ShownForm =
  | { readonly of: 'addresses' | 'password' | 'webhook'; readonly filled: Filled }
  | ({ readonly of: 'team' } & TeamForm)
  /** A button that was refused: why. */
  | { readonly of: 'page'; readonly filled: Filled };

interface Shown {
  /** From where the owner sees the page. */
  readonly address: string;
  readonly form?: ShownForm;
  /** What was just done. */
  readonly done?: string | null;
}

/** A button that was refused, or the form of a key that is not listed any more. */
const isOfPage = ({ team }: OwnAccount, form: ShownForm): boolean =>
  form.of === 'page' ||
  (form.of === 'team' && form.id !== null && !team.some(({ keyId }) => publicKeyId(keyId) === form.id));

export function accountPage(account: OwnAccount, { address, form, done = null }: Shown): AccountPage {
  const main = html`<div class="account-head"><h1>Your account</h1><p>${account.email}</p>
<form method="post" action="/logout"><button class="button">Sign out</button></form></div>
${done !== null && notice(done)}${form && isOfPage(account, form) && formProblem(form.filled)}
<div class="cols account"><div class="col-main">${keyPanel(account)}${creditsPanel(account)}${refusedPanel(account)}${teamPanel(account, form?.of === 'team' ? form : null)}${webhooksPanel(account, form?.of === 'webhook' ? form.filled : null)}${dataPanel()}${widgetsPanel(account)}${allowPanel(account, address, form?.of === 'addresses' ? form.filled : undefined)}</div>
<div class="col-side">${planPanel(account)}${referralPanel(account)}${signInPanel(account, form?.of === 'password' ? form.filled : undefined, form?.of === 'password')}${mailPanel(account)}${alertsPanel(account)}${closingPanel()}</div></div>`;
  return { title: 'Your account', main };
}
