// The passkeys of an account: adding one, and naming and removing each.
import type { OwnedAccount } from '../../../store/accounts/owners';
import type { OwnedPasskey } from '../../../store/accounts/passkeys/passkeys';
import { type Html, html } from '../../html';
import { formProblem, textField } from '../forms/fields';
import { EMPTY, type Filled } from '../forms/filled';
import { momentText } from '../moments';
import { type AccountPage, notice } from '../page';

export const PASSKEY_LABELS = { label: 'Name', password: 'Password' };

/** A form that is shown again. */
export interface PasskeyForm {
  readonly of: 'add' | 'rename' | 'remove';
  /** Null: of a new passkey. */
  readonly id: string | null;
  readonly filled: Filled;
}

interface Shown {
  readonly passkeys: readonly OwnedPasskey[];
  readonly account: Pick<OwnedAccount, 'passwordHash'>;
  /** What was just done. */
  readonly done?: string | null;
  readonly form?: PasskeyForm | null;
}

export function passkeysPage({ passkeys, account, done = null, form = null }: Shown): AccountPage {
  const hasPassword = account.passwordHash !== null;
  const isGone = form !== null && form.id !== null && !passkeys.some(({ passkeyId }) => passkeyId === form.id);
  const items = passkeys.map((one) => passkeyItem(one, hasPassword, form?.id === one.passkeyId ? form : null));
  const adding = form?.of === 'add' ? form.filled : EMPTY;
  const main = html`<div class="account-head"><h1>Passkeys</h1><p><a href="/account">Back to your account</a></p></div>
${done !== null && notice(done)}${isGone && formProblem(form.filled)}
<div class="account panels"><section class="panel" id="passkeys" aria-labelledby="passkeys-title"><h2 id="passkeys-title">Your passkeys</h2><div class="body">
<p class="small">A passkey signs you in with your fingerprint, your face, a PIN or a security key. ${hasPassword ? 'Your password and mailed links keep working.' : 'Mailed links keep working.'} You are mailed when one is added or removed.</p>
${items.length > 0 ? html`<ul class="team">${items}</ul>` : html`<p>You have none yet.</p>`}</div></section>
<section class="panel" id="add" aria-labelledby="add-title"><h2 id="add-title">Add a passkey</h2><div class="body">
<form method="post" action="/account/passkeys">${formProblem(adding)}
${textField({ form: 'add', name: 'label', label: PASSKEY_LABELS.label, isRequired: true, maxLength: 100, hint: 'Where it is stored, for example the device or the password manager.' }, adding)}
${proof('add', hasPassword, adding)}<button class="button primary">Continue</button></form></div></section></div>`;
  return { title: 'Passkeys', main };
}

/** An account without a password proves its owner by a sign-in of the last minutes. */
const proof = (form: string, hasPassword: boolean, filled: Filled): Html | null =>
  hasPassword
    ? textField(
        {
          ...{ form, name: 'password', label: PASSKEY_LABELS.password, type: 'password' },
          ...{ autocomplete: 'current-password', isRequired: true, maxLength: 1000 },
        },
        filled,
      )
    : null;

function passkeyItem(
  { passkeyId, label, createdAt, lastUsedAt }: OwnedPasskey,
  hasPassword: boolean,
  shown: PasskeyForm | null,
): Html {
  const path = `/account/passkeys/${passkeyId}`;
  const filledOf = (of: PasskeyForm['of']): Filled | null => (shown?.of === of ? shown.filled : null);
  const renaming = filledOf('rename');
  const removing = filledOf('remove');
  return html`<li><p class="team-line"><b>${label}</b></p>
<p class="small">Added ${momentText(createdAt)} · ${lastUsedAt === null ? 'not used yet' : html`last used ${momentText(lastUsedAt)}`}</p>
<div class="folds">${fold(renaming)}<summary>Rename<span class="vh"> ${label}</span></summary><form method="post" action="${path}/rename">${formProblem(renaming ?? EMPTY)}
${textField({ form: `rename-${passkeyId}`, name: 'label', label: PASSKEY_LABELS.label, isRequired: true, maxLength: 100, value: label }, renaming ?? EMPTY)}
<button class="button">Save the name<span class="vh"> of ${label}</span></button></form></details>
${fold(removing)}<summary>Remove<span class="vh"> ${label}</span></summary><form method="post" action="${path}/remove">${formProblem(removing ?? EMPTY)}
<p>It signs in no more. Delete it on your device too.</p>
${proof(`remove-${passkeyId}`, hasPassword, removing ?? EMPTY)}<button class="button danger">Remove<span class="vh"> ${label}</span></button></form></details></div></li>`;
}

const fold = (filled: Filled | null): Html => html`<details class="more"${filled && html` open`}>`;
