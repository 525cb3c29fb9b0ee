// Which calls were refused in the last days, by key and code: an owner sees a program that fails before its user does.
import { publicKeyId } from '../../../plans/key-id';
import type { RefusedSum } from '../../../store/keys/refused-calls';
import type { AccountKey } from '../../../store/keys/team-keys';
import { type Html, html } from '../../html';
import { countText } from '../moments';
import type { OwnAccount } from '../own-account';
import { hintOf } from '../panels/key';
import { problemTitle } from './problem-title';

/** Those with the most calls; the page of refused calls has the others. */
const MOST_ROWS = 10;

export function refusedPanel(account: OwnAccount): Html {
  const { refused } = account;
  const rows = refused.slice(0, MOST_ROWS);
  return html`<section class="panel" id="refused" aria-labelledby="refused-title"><h2 id="refused-title">Refused calls<span class="h-note">the last seven days</span></h2><div class="body">
${rows.length === 0 ? html`<p class="small">None. Calls without a valid key are not counted.</p>` : sums(rows, keysOf(account))}
<p><a href="/account/calls">The latest refused calls, and search by request id</a></p></div></section>`;
}

const sums = (rows: readonly RefusedSum[], keys: readonly AccountKey[]): Html =>
  html`<div class="table"><table class="figures"><caption class="vh">Refused calls by code and key</caption><thead><tr><th scope="col">Why</th><th scope="col">Key</th><th scope="col">Last 24 hours</th><th scope="col">Seven days</th></tr></thead>
<tbody>${rows.map(({ keyId, code, lastDay, lastWeek }) => html`<tr><th scope="row"><a href="/account/calls?code=${code}&amp;key=${publicKeyId(keyId)}">${problemTitle(code)}</a></th><td>${keyName(keys, keyId)}</td><td>${countText(lastDay)}</td><td>${countText(lastWeek)}</td></tr>`)}</tbody></table></div>
<p class="small">Counts are a few seconds old. Refused calls are free.</p>`;

const keysOf = ({ primary, team }: Pick<OwnAccount, 'primary' | 'team'>): readonly AccountKey[] =>
  primary === null ? team : [primary, ...team];

/** A key that was deleted or replaced by support has no name any more. */
export function keyName(keys: readonly AccountKey[], keyId: string): Html {
  const key = keys.find((one) => one.keyId === keyId);
  if (!key) return html`a deleted key`;
  return key.isPrimary ? html`primary ${hintOf(key)}` : html`${key.label} ${hintOf(key)}`;
}
