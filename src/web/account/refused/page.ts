// The newest refused calls of an account, or those of a key, a code or a request.
import { publicKeyId } from '../../../plans/key-id';
import { KEPT_REFUSED_CALLS } from '../../../plans/limits';
import type { RefusedCall } from '../../../store/keys/refused-calls';
import type { AccountKey } from '../../../store/keys/team-keys';
import { type Html, html } from '../../html';
import { textField } from '../forms/fields';
import { EMPTY } from '../forms/filled';
import { instantText } from '../moments';
import type { AccountPage } from '../page';
import { keyName } from './panel';
import { problemTitle } from './problem-title';

/** What the address of the page names; null: everything. */
export interface ShownCalls {
  readonly code: string | null;
  readonly keyId: string | null;
  readonly requestId: string | null;
}

export function refusedPage(
  calls: readonly RefusedCall[],
  shown: ShownCalls,
  keys: readonly AccountKey[],
): AccountPage {
  const main = html`<div class="account-head"><h1>Refused calls</h1><p><a href="/account">Your account</a></p></div>
<div class="panels"><section class="panel" aria-label="Search"><div class="body"><form method="get" action="/account/calls">
${textField({ form: 'calls', name: 'request_id', label: 'Request id', maxLength: 64, value: shown.requestId ?? '', hint: html`Every response has one in <code>X-Request-Id</code>, and every problem in <code>request_id</code>.` }, EMPTY)}
<button class="button">Search</button></form></div></section>
<section class="panel" id="calls" aria-labelledby="calls-title"><h2 id="calls-title">${titleOf(shown, keys)}</h2><div class="body">
${calls.length === 0 ? none(shown) : html`<ul class="deliveries" aria-labelledby="calls-title">${calls.map((one) => callRow(one, keys))}</ul>`}
<p class="small">The newest ${KEPT_REFUSED_CALLS} of each key and code are kept, for 30 days. Calls without a valid key are not among them.</p></div></section></div>`;
  return { title: 'Refused calls', main };
}

function titleOf({ code, keyId, requestId }: ShownCalls, keys: readonly AccountKey[]): Html {
  if (requestId !== null) return html`Request <code>${requestId}</code> ${all}`;
  if (code === null && keyId === null) return html`Newest first`;
  return html`${code === null ? 'Every reason' : problemTitle(code)}${keyId !== null && html`, ${keyName(keys, keyId)}`} ${all}`;
}

const all = html`<a class="h-note" href="/account/calls">Show all</a>`;

const none = ({ requestId }: ShownCalls): Html =>
  requestId === null
    ? html`<p>No refused calls.</p>`
    : html`<p>No refused call has this id. The call was answered, or was sent without a valid key, or newer ones have replaced it.</p>`;

const callRow = (call: RefusedCall, keys: readonly AccountKey[]): Html => {
  const { operation, status, code, detail, at, keyId, requestId } = call;
  return html`<li><p>${operation === null ? 'Unknown address' : html`<code>${operation}</code>`} · <b>${status} <a href="/account/calls?code=${code}&amp;key=${publicKeyId(keyId)}">${problemTitle(code)}</a></b></p>
<p>${detail}</p>
<p class="small">${instantText(at)} · ${keyName(keys, keyId)} · request <code>${requestId}</code></p></li>`;
};
