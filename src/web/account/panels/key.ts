// The primary key: what is stored of it, how to replace it, and the addresses that may use it. The page never has the
// key itself.
import type { AccountKey } from '../../../store/keys/team-keys';
import { type Html, html } from '../../html';
import { formProblem, linesField } from '../forms/fields';
import { EMPTY, type Filled } from '../forms/filled';
import { dayText, momentText } from '../moments';
import type { OwnAccount } from '../own-account';

export function keyPanel({ primary }: OwnAccount): Html {
  const body =
    primary === null
      ? html`<p>This account has no key that works. Contact us to get a new one.</p>`
      : html`${facts(primary)}${replacing}`;
  return html`<section class="panel" id="key" aria-labelledby="key-title"><h2 id="key-title">API key</h2><div class="body">${body}</div></section>`;
}

export const hintOf = ({ last4 }: AccountKey): Html => html`<code class="key-hint">pe_live_…${last4}</code>`;

const facts = (key: AccountKey): Html => html`<p class="key-line">${hintOf(key)}</p>
<dl class="key-facts"><dt>Created</dt><dd>${dayText(key.issuedAt)}</dd>
${key.rotatedAt !== null && html`<dt>Last replaced</dt><dd>${momentText(key.rotatedAt)}</dd>`}
<dt>Last charged call</dt><dd>${key.lastUsedAt === null ? 'None yet' : momentText(key.lastUsedAt)}</dd></dl>
${key.previousValidUntil !== null && html`<p class="notice notice-warn">The key before this one works until ${momentText(key.previousValidUntil)}.</p>`}`;

const replacing = html`<p class="small">We store only a fingerprint of a key, so it cannot be shown again. Replacing it shows a new one, once; your plan, credits and settings stay.</p>
<details class="more"><summary>Replace the key</summary><form method="post" action="/account/key/rotate">
<fieldset class="choice"><legend>The present key</legend>
<label><input type="radio" name="immediate" value="no" checked> works for 24 more hours, so that you can change your programs</label>
<label><input type="radio" name="immediate" value="yes"> ends at once, because somebody else may have it</label></fieldset>
<button class="button primary">Replace the key</button></form></details>
<details class="more"><summary>I have lost the key</summary><form method="post" action="/account/key/reveal">
<p>This does not show the lost key: it makes a new one and shows it once. The lost key works for 24 more hours.</p>
<button class="button primary">Make a new key and show it</button></form></details>`;

export const ALLOW_LABELS = { ip_whitelist: 'The list' };

/** `address`: from where the owner sees this page. */
export function allowPanel({ primary }: OwnAccount, address: string, filled: Filled = EMPTY): Html | null {
  if (primary === null) return null;
  const form = 'allow';
  const hint = html`One IPv4 or IPv6 address or CIDR range a line, for example <code>203.0.113.7</code> or <code>2001:db8::/32</code>. Empty: the key works from everywhere.${address !== '' && html` Your present address is <code>${address}</code>.`}`;
  return html`<section class="panel" id="addresses" aria-labelledby="addresses-title"><h2 id="addresses-title">Allowed addresses</h2><div class="body">
<form method="post" action="/account/addresses">${formProblem(filled)}${linesField({ form, name: 'ip_whitelist', label: 'Addresses that may use the key', hint, value: primary.allowedAddresses }, filled)}
<button class="button">Save the addresses</button></form></div></section>`;
}
