// A key that was just minted, in the one response that shows it, with a call to try it.
import type { Minted } from '../../../accounts/keys/owned-keys';
import { type Html, html } from '../../html';
import { copied } from '../copied';
import { momentText } from '../moments';
import { type AccountPage, taskPage } from '../page';

const FIRST_CALL = '/v1/racing/next-to-go?num_races=3';

type ShownKey = Pick<Minted, 'key'> & Partial<Pick<Minted, 'previousValidUntil'>>;

/** `more`: what comes next. */
export function newKeyPage(
  title: string,
  { key, previousValidUntil = null }: ShownKey,
  baseUrl: string,
  more: Html | null = null,
): AccountPage {
  return taskPage(
    title,
    html`<p class="notice notice-warn"><strong>Copy it now.</strong> It is shown this once: we store only a fingerprint of it.</p>
${copied('Your API key', key, 'new-key')}
${previousValidUntil !== null && html`<p>The key that was in use works until ${momentText(previousValidUntil)}.</p>`}
${firstCall(baseUrl, key)}
<p class="small">The call returns the next three races with the prices of every bookmaker. Send the key in the <code>X-API-Key</code> header, never in an address. <a href="/docs/guides/first-call">Your first call</a> goes on from here, with programs and clients.</p>
${more}<p class="actions"><a class="button primary" href="/account">Go to your account</a><a class="button" href="/docs">API reference</a></p>`,
  );
}

/** A call to try a key with. */
export const firstCall = (baseUrl: string, key: string): Html =>
  copied('Try it in a terminal', `curl -H 'X-API-Key: ${key}' '${baseUrl}${FIRST_CALL}'`, 'first-call');
