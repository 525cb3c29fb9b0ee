// One webhook: its state, what can be done with it, and its deliveries, those that failed first, each with its attempts
// and its payload.
import type { StoredWebhook } from '../../../store/webhooks/webhooks';
import type { StoredDelivery, TestOutcome } from '../../../store/webhooks/webhooks-deliveries';
import { type Html, html } from '../../html';
import { copied } from '../copied';
import { countText, instantText, momentText } from '../moments';
import { type AccountPage, notice, taskPage } from '../page';
import { postingState, wantedBy } from './panel';

export interface ShownWebhook {
  /** Its address is without a query. */
  readonly webhook: StoredWebhook;
  readonly isEntitled: boolean;
  readonly deliveries: readonly StoredDelivery[];
  /** Only deliveries that failed or are tried again. */
  readonly isOfFailed: boolean;
  /** Delivery before which the next older ones are; null: there are none. */
  readonly olderThan: string | null;
  /** What was just done. */
  readonly done: string | null;
  /** Why what was wanted was refused. */
  readonly refusal: string | null;
}

export function webhookPage(shown: ShownWebhook): AccountPage {
  const { webhook, isEntitled, done, refusal } = shown;
  const { webhookId: id, url, lastDeliveryAt } = webhook;
  const main = html`<div class="account-head"><h1>Webhook</h1><p><a href="/account#webhooks">Your account</a></p></div>
${done !== null && notice(done)}${refusal !== null && html`<p class="notice notice-bad" role="alert" tabindex="-1" autofocus>${refusal}</p>`}
<div class="panels"><section class="panel" aria-labelledby="webhook-title"><h2 id="webhook-title"><code>${url}</code></h2><div class="body">
<p>${postingState(webhook, isEntitled)} · ${lastDeliveryAt === null ? 'nothing delivered yet' : html`last delivered ${momentText(lastDeliveryAt)}`}</p>
<p class="small">${wantedBy(webhook)}</p>
<div class="actions">${isEntitled && button(id, 'test', 'Send a test')}${pausing(webhook)}</div>
${rotating(id)}${deleting(id)}</div></section>
${deliveriesPanel(shown)}</div>`;
  return { title: 'Webhook', main };
}

const button = (id: string, act: string, label: string): Html =>
  html`<form method="post" action="/account/webhooks/${id}/${act}"><button class="button">${label}</button></form>`;

/** One that was disabled is enabled again like one that was paused. */
const pausing = ({ webhookId, paused, disabledReason }: StoredWebhook): Html =>
  paused || disabledReason !== null ? button(webhookId, 'resume', 'Post again') : button(webhookId, 'pause', 'Pause');

const rotating = (
  id: string,
): Html => html`<details class="more"><summary>Replace the secret</summary><form method="post" action="/account/webhooks/${id}/rotate">
<p>The new secret is shown once. For 24 hours every post is signed with both.</p>
<button class="button">Replace the secret and show it</button></form></details>`;

const deleting = (id: string): Html =>
  html`<details class="more"><summary>Delete the webhook</summary><form method="post" action="/account/webhooks/${id}/delete"><p>Nothing is posted to it from now on; deliveries under way are cancelled. This cannot be undone.</p><button class="button danger">Delete the webhook</button></form></details>`;

function deliveriesPanel(shown: ShownWebhook): Html {
  const { webhook, deliveries, isOfFailed, olderThan } = shown;
  const path = `/account/webhooks/${webhook.webhookId}`;
  const of = isOfFailed ? 'failed' : 'all';
  const tab = (show: string, label: string) =>
    html`<a class="button" href="${path}?show=${show}#deliveries"${show === of && html` aria-current="page"`}>${label}</a>`;
  return html`<section class="panel" id="deliveries" aria-labelledby="deliveries-title"><h2 id="deliveries-title">Deliveries<span class="h-note">newest first</span></h2><div class="body">
<nav class="actions" aria-label="Deliveries">${tab('failed', 'Failed or retrying')}${tab('all', 'All')}</nav>
${deliveries.length === 0 ? html`<p>${isOfFailed ? 'None failed.' : 'No deliveries yet.'}</p>` : html`<ul class="deliveries" aria-labelledby="deliveries-title">${deliveries.map((one) => delivery(one, shown))}</ul>`}
${olderThan !== null && html`<p><a href="${path}?show=${of}&amp;before=${olderThan}#deliveries">Older deliveries</a></p>`}</div></section>`;
}

/** The reason of a cancellation is no attempt's. */
function delivery(one: StoredDelivery, { isEntitled }: ShownWebhook): Html {
  const { kind, test, replayOf, status, error, createdAt, attempts, body } = one;
  const what = subjectOf(body);
  return html`<li><p><code>${kind}</code>${what !== null && html` · ${what}`}${test && ', a test'}${replayOf !== null && ', a replay'} · <b>${status}</b>${status === 'cancelled' && error !== null && html`: ${error}`}</p>
<p class="small">queued ${instantText(createdAt)} · <code>${one.deliveryId}</code></p>${attempts.length > 0 && html`<ol>${attempts.map(attempt)}</ol>`}
${body === null ? html`<p class="small">The payload is no longer stored.</p>` : html`<details class="more"><summary>Payload</summary><pre tabindex="0"><code>${body}</code></pre></details>`}
${isEntitled && isReplayable(one) && button(one.webhookId, `replay/${one.deliveryId}`, 'Send again')}</li>`;
}

/** The others are refused by the service too. */
const isReplayable = ({ status, test, kind, body }: StoredDelivery): boolean =>
  (status === 'failed' || status === 'delivered' || status === 'cancelled') &&
  !test &&
  kind !== 'odds.change' &&
  body !== null;

/** `Randwick R4`, or the teams of a match; null: the event is of neither. */
function subjectOf(body: string | null): string | null {
  if (body === null) return null;
  const { venue, race_number: race, home_team: home, away_team: away } = JSON.parse(body);
  if (typeof venue === 'string' && typeof race === 'number') return `${venue} R${race}`;
  return typeof home === 'string' && typeof away === 'string' ? `${home} v ${away}` : null;
}

type Attempt = StoredDelivery['attempts'][number];

const attempt = ({ attempt: nth, startedAt, durationMs, statusCode, error }: Attempt): Html =>
  html`<li class="small">Attempt ${nth}, ${instantText(startedAt)}: ${durationMs === null ? 'no end yet, or cut off' : `${statusCode ?? 'no response'} after ${countText(durationMs)}\u00a0ms`}${error !== null && html`. ${error}`}</li>`;

/** The one page that shows the secret. */
export const secretPage = ({ webhookId, previousUntil }: StoredWebhook, secret: string): AccountPage =>
  taskPage(
    'The secret of your webhook',
    html`<p class="notice notice-warn"><strong>Copy it now.</strong> It is shown this once.</p>
${copied('Signing secret', secret, 'webhook-secret')}
<p>Every post is signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> describes.${previousUntil !== null && html` The secret before it signs too until ${momentText(previousUntil)}.`}</p>
<p class="actions"><a class="button primary" href="/account/webhooks/${webhookId}">Go to the webhook</a></p>`,
  );

/** What a test call found, as a sentence. */
export const testedText = ({ status, statusCode, error }: TestOutcome): string =>
  status === 'delivered'
    ? `The receiver responded with ${statusCode}.`
    : `The test failed${statusCode === null ? '' : ` with ${statusCode}`}${error === null ? '.' : `: ${error}`}`;
