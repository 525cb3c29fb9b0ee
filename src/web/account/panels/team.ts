// Team keys: more keys of one account, which share its credits. Each has its own limit of requests, addresses and line
// of use.
import { publicKeyId } from '../../../plans/key-id';
import { LIMITS } from '../../../plans/limits';
import type { AccountKey } from '../../../store/keys/team-keys';
import { type Html, html } from '../../html';
import { formProblem, linesField, textField } from '../forms/fields';
import { EMPTY, type Filled } from '../forms/filled';
import { amountText, momentText } from '../moments';
import type { OwnAccount } from '../own-account';
import { hintOf } from './key';

export const TEAM_LABELS = { label: 'Label', ip_whitelist: 'The list' };

/** A form that is shown again. */
export interface TeamForm {
  /** Null: of a new key. */
  readonly id: string | null;
  readonly filled: Filled;
}

export function teamPanel({ plan, team }: OwnAccount, shown: TeamForm | null): Html | null {
  const most = LIMITS[plan.id].keys - 1;
  if (most <= 0 && team.length === 0) return null;
  const free = most - team.length;
  return html`<section class="panel" id="team" aria-labelledby="team-title"><h2 id="team-title">Team keys<span class="h-note">${team.length} of ${Math.max(most, team.length)} in use</span></h2><div class="body">
<p class="small">Keys for colleagues and programs. They share the credits of the account; each has its own ${plan.requestsPerMinute} requests a minute.</p>
${team.length > 0 && html`<ul class="team">${team.map((key) => teamKey(key, shown))}</ul>`}
${free > 0 ? adding(filledOf(null, shown)) : html`<p class="small">Every key of your plan is in use. Delete one to add another.</p>`}</div></section>`;
}

/** Null: the form is not the one that is shown again. */
const filledOf = (id: string | null, shown: TeamForm | null): Filled | null =>
  shown !== null && shown.id === id ? shown.filled : null;

const fold = (filled: Filled | null): Html => html`<details class="more"${filled && html` open`}>`;

const adding = (
  filled: Filled | null,
): Html => html`${fold(filled)}<summary>Add a key</summary><form method="post" action="/account/team">${formProblem(filled ?? EMPTY)}
${keyFields('team-new', null, filled ?? EMPTY)}<button class="button primary">Add the key and show it</button></form></details>`;

const keyFields = (form: string, key: AccountKey | null, filled: Filled): Html =>
  html`${textField({ form, name: 'label', label: 'Label', isRequired: true, maxLength: 100, value: key?.label ?? '', hint: 'What the key is for, or who uses it.' }, filled)}
${linesField({ form, name: 'ip_whitelist', label: html`Allowed addresses <span class="optional">optional</span>`, value: key?.allowedAddresses ?? [], hint: 'One address or range a line. Empty: the key works from everywhere.' }, filled)}`;

function teamKey(key: AccountKey, shown: TeamForm | null): Html {
  const { keyId, label, calls, credits, lastUsedAt, allowedAddresses } = key;
  const id = publicKeyId(keyId);
  const filled = filledOf(id, shown);
  return html`<li><p class="team-line"><b>${label}</b> ${hintOf(key)}</p>
<p class="small">${amountText(credits, 'credit')} in ${amountText(calls, 'call')} this month · ${lastUsedAt === null ? 'not used yet' : html`last used ${momentText(lastUsedAt)}`} · ${allowedAddresses.length === 0 ? 'works from everywhere' : html`only from ${allowedAddresses.join(', ')}`}</p>
<div class="folds">${fold(filled)}<summary>Change<span class="vh"> ${label}</span></summary><form method="post" action="/account/team/${id}">${formProblem(filled ?? EMPTY)}
${keyFields(`team-${id}`, key, filled ?? EMPTY)}<button class="button">Save<span class="vh"> ${label}</span></button></form></details>
<details class="more"><summary>Delete<span class="vh"> ${label}</span></summary><form method="post" action="/account/team/${id}/delete"><p>Calls with this key fail from now on. This cannot be undone.</p><button class="button danger">Delete<span class="vh"> ${label}</span></button></form></details></div></li>`;
}
