// Team keys: more keys of one account, which share its credits. Each has its own limit of requests, addresses, scopes
// and line of use.
import { publicKeyId } from '../../../plans/key-id';
import { LIMITS } from '../../../plans/limits';
import { SCOPES, type Scope } from '../../../plans/scopes';
import type { RefusedSum } from '../../../store/keys/refused-calls';
import type { AccountKey } from '../../../store/keys/team-keys';
import { type Html, html } from '../../html';
import { formProblem, linesField, textField } from '../forms/fields';
import { EMPTY, type Filled } from '../forms/filled';
import { amountText, countText, momentText } from '../moments';
import type { OwnAccount } from '../own-account';
import { problemTitle } from '../refused/problem-title';
import { hintOf } from './key';

export const TEAM_LABELS = { label: 'Label', ip_whitelist: 'The list', scopes: 'What the key may do' };

/** What each scope is for; `scopeField` names its box in a form. */
const SCOPE_TEXTS: Readonly<Record<Scope, string>> = {
  read: 'prices, races, results, form and matches',
  archive: 'the archive and its files',
  webhooks: 'webhooks, their events and deliveries',
  backfill: 'backfill jobs',
};

export const scopeField = (scope: Scope): string => `scope_${scope}`;

/** A form that is shown again. */
export interface TeamForm {
  /** Null: of a new key. */
  readonly id: string | null;
  readonly filled: Filled;
}

export function teamPanel({ plan, team, refused }: OwnAccount, shown: TeamForm | null): Html | null {
  const most = LIMITS[plan.id].keys - 1;
  if (most <= 0 && team.length === 0) return null;
  const free = most - team.length;
  return html`<section class="panel" id="team" aria-labelledby="team-title"><h2 id="team-title">Team keys<span class="h-note">${team.length} of ${Math.max(most, team.length)} in use</span></h2><div class="body">
<p class="small">Keys for colleagues and programs. They share the credits of the account; each has its own ${plan.requestsPerMinute} requests a minute.</p>
${team.length > 0 && html`<ul class="team">${team.map((key) => teamKey(key, refused, shown))}</ul>`}
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
${scopeFields(form, key?.scopes ?? null, filled)}
${linesField({ form, name: 'ip_whitelist', label: html`Allowed addresses <span class="optional">optional</span>`, value: key?.allowedAddresses ?? [], hint: 'One address or range a line. Empty: the key works from everywhere.' }, filled)}`;

/** Everything is a choice of its own, so that a form without a tick gives no key everything. */
function scopeFields(form: string, scopes: AccountKey['scopes'], filled: Filled): Html {
  const isAll = filled.values.access === undefined ? scopes === null : filled.values.access === 'all';
  const problem = filled.problems.scopes;
  return html`<fieldset class="choice"${problem && html` aria-describedby="${form}-scopes-problem"`}><legend>What the key may do</legend>
<label><input type="radio" name="access" value="all"${isAll && html` checked`}> everything that the account may do</label>
<label><input type="radio" name="access" value="some"${!isAll && html` checked`}> only what is ticked:</label>
<div class="ticks">${SCOPES.map((scope) => tick(scope, isTicked(scope, scopes, filled)))}</div>
${problem && html`<p class="wrong" id="${form}-scopes-problem">${problem}</p>`}</fieldset>`;
}

const isTicked = (scope: Scope, scopes: AccountKey['scopes'], { values }: Filled): boolean =>
  values.access === undefined ? (scopes?.includes(scope) ?? false) : scopeField(scope) in values;

const tick = (scope: Scope, isOn: boolean): Html =>
  html`<label><input type="checkbox" name="${scopeField(scope)}" value="yes"${isOn && html` checked`}> ${SCOPE_TEXTS[scope]}</label>`;

function teamKey(key: AccountKey, refused: readonly RefusedSum[], shown: TeamForm | null): Html {
  const { keyId, label, calls, credits, lastUsedAt, allowedAddresses, previousValidUntil } = key;
  const id = publicKeyId(keyId);
  const filled = filledOf(id, shown);
  return html`<li><p class="team-line"><b>${label}</b> ${hintOf(key)}</p>
<p class="small">May use ${mayUseText(key)} · ${allowedAddresses.length === 0 ? 'works from everywhere' : html`only from ${allowedAddresses.join(', ')}`}</p>
<p class="small">${amountText(credits, 'credit')} in ${amountText(calls, 'call')} this month · ${lastUsedAt === null ? 'not used yet' : html`last used ${momentText(lastUsedAt)}`}</p>
<p class="small">${refusedText(
    id,
    refused.filter((one) => one.keyId === keyId),
  )}</p>
${previousValidUntil !== null && html`<p class="notice notice-warn">The key before this one works until ${momentText(previousValidUntil)}.</p>`}
<div class="folds">${fold(filled)}<summary>Change<span class="vh"> ${label}</span></summary><form method="post" action="/account/team/${id}">${formProblem(filled ?? EMPTY)}
${keyFields(`team-${id}`, key, filled ?? EMPTY)}<button class="button">Save<span class="vh"> ${label}</span></button></form></details>
${replacing(id, label)}
<details class="more"><summary>Delete<span class="vh"> ${label}</span></summary><form method="post" action="/account/team/${id}/delete"><p>Calls with this key fail from now on. This cannot be undone.</p><button class="button danger">Delete<span class="vh"> ${label}</span></button></form></details></div></li>`;
}

/** A scope of a release that has gone is shown itself. */
const mayUseText = ({ scopes }: AccountKey): string =>
  scopes === null ? 'everything' : scopes.map((one) => SCOPE_TEXTS[one as Scope] ?? one).join('; ');

const MOST_CODES = 3;

function refusedText(id: string, sums: readonly RefusedSum[]): Html {
  if (sums.length === 0) return html`No refused calls in seven days`;
  const calls = sums.reduce((sum, { lastWeek }) => sum + lastWeek, 0);
  const codes = sums.slice(0, MOST_CODES).map(({ code, lastWeek }) => `${problemTitle(code)} ${countText(lastWeek)}`);
  return html`<a href="/account/calls?key=${id}">${amountText(calls, 'refused call')}</a> in seven days: ${codes.join(', ')}`;
}

const replacing = (id: string, label: string): Html =>
  html`<details class="more"><summary>Replace<span class="vh"> ${label}</span></summary><form method="post" action="/account/team/${id}/rotate"><p>The new key is shown once. It keeps the label, addresses and scopes.</p>
<fieldset class="choice"><legend>The present key</legend>
<label><input type="radio" name="immediate" value="no" checked> works for 24 more hours</label>
<label><input type="radio" name="immediate" value="yes"> ends at once</label></fieldset>
<button class="button">Replace the key and show it<span class="vh"> for ${label}</span></button></form></details>`;
