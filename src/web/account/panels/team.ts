// Team keys: more keys of one account, which share its credits. Each has its own limit of requests, addresses and line
// of use.
import { type Html, html } from '../../html';
import { formProblem, linesField, textField } from '../forms/fields';
import { EMPTY, type Filled } from '../forms/filled';
import { amountText, momentText } from '../moments';
import type { AccountView, KeyCard } from '../source';
import { hintOf } from './key';

export const TEAM_LABELS = { label: 'Label', ip_whitelist: 'The list' };

/** A form that is shown again. */
export interface TeamForm {
  /** Null: of a new key. */
  readonly id: string | null;
  readonly filled: Filled;
}

export function teamPanel({ plan, team }: AccountView, shown: TeamForm | null): Html | null {
  if (plan.keys <= 1 && team.length === 0) return null;
  const free = plan.keys - 1 - team.length;
  const filledOf = (id: string | null): Filled => (shown !== null && shown.id === id ? shown.filled : EMPTY);
  const isOpen = (id: string | null): boolean => shown !== null && shown.id === id;
  return html`<section class="panel" id="team" aria-labelledby="team-title"><h2 id="team-title">Team keys<span class="h-note">${team.length} of ${Math.max(plan.keys - 1, team.length)} in use</span></h2><div class="body">
<p class="small">Keys for colleagues and programs. They share the credits of the account; each has its own ${plan.requestsPerMinute} requests a minute.</p>
${team.length > 0 && html`<ul class="team">${team.map((key) => teamKey(key, filledOf(key.id), isOpen(key.id)))}</ul>`}
${free > 0 ? adding(filledOf(null), isOpen(null)) : html`<p class="small">Every key of your plan is in use. Delete one to add another.</p>`}</div></section>`;
}

const adding = (
  filled: Filled,
  isOpen: boolean,
): Html => html`<details class="more"${isOpen && html` open`}><summary>Add a key</summary><form method="post" action="/account/team">${formProblem(filled)}
${keyFields('team-new', null, filled)}<button class="button primary">Add the key and show it</button></form></details>`;

const keyFields = (form: string, key: KeyCard | null, filled: Filled): Html =>
  html`${textField({ form, name: 'label', label: 'Label', isRequired: true, maxLength: 100, value: key?.label ?? '', hint: 'What the key is for, or who uses it.' }, filled)}
${linesField({ form, name: 'ip_whitelist', label: html`Allowed addresses <span class="optional">optional</span>`, value: key?.allowed ?? [], hint: 'One address or range a line. Empty: the key works from everywhere.' }, filled)}`;

function teamKey(key: KeyCard, filled: Filled, isOpen: boolean): Html {
  const { id, label, calls, credits, lastUsedMs, allowed } = key;
  return html`<li><p class="team-line"><b>${label}</b> ${hintOf(key)}</p>
<p class="small">${amountText(credits, 'credit')} in ${amountText(calls, 'call')} this month · ${lastUsedMs === null ? 'not used yet' : html`last used ${momentText(lastUsedMs)}`} · ${allowed.length === 0 ? 'works from everywhere' : html`only from ${allowed.join(', ')}`}</p>
<div class="folds"><details class="more"${isOpen && html` open`}><summary>Change<span class="vh"> ${label}</span></summary><form method="post" action="/account/team/${id}">${formProblem(filled)}
${keyFields(`team-${id}`, key, filled)}<button class="button">Save<span class="vh"> ${label}</span></button></form></details>
<details class="more"><summary>Delete<span class="vh"> ${label}</span></summary><form method="post" action="/account/team/${id}/delete"><p>Calls with this key fail from now on. This cannot be undone.</p><button class="button danger">Delete<span class="vh"> ${label}</span></button></form></details></div></li>`;
}
