// The account's webhooks: whether each is posted to, and the last deliveries of one, with their attempts. They are
// changed by the API.
import { mayUse } from '../../../plans/rights';
import type { StoredWebhook } from '../../../store/webhooks/webhooks';
import type { StoredDelivery } from '../../../store/webhooks/webhooks-deliveries';
import { type Html, html } from '../../html';
import { amountText, countText, instantText, momentText } from '../moments';
import type { OwnAccount } from '../own-account';

export function webhooksPanel({ webhooks, open, plan, issuedAt }: OwnAccount): Html | null {
  const isEntitled = mayUse('webhooks', plan, issuedAt);
  if (!isEntitled && webhooks.length === 0) return null;
  return html`<section class="panel" id="webhooks" aria-labelledby="webhooks-title"><h2 id="webhooks-title">Webhooks<span class="h-note">${countText(webhooks.length)}</span></h2><div class="body">
<p class="small">The service posts events to these addresses. <a href="/docs">The API</a> creates, changes, tests and replays them.</p>
${webhooks.length > 0 && html`<ul class="team">${webhooks.map((one) => webhook(one, isEntitled, open))}</ul>`}</div></section>`;
}

const DISABLED = {
  gone: html`<b>Disabled</b>: the receiver responded with 410`,
  failing: html`<b>Disabled</b>: every attempt of five days failed`,
};

function stateOf({ disabledReason, paused }: StoredWebhook, isEntitled: boolean): Html {
  if (!isEntitled) return html`<b>Not posted to</b>: your plan does not include webhooks`;
  if (disabledReason !== null) return DISABLED[disabledReason];
  return paused ? html`<b>Paused</b> by you` : html`<b>Active</b>`;
}

function webhook(one: StoredWebhook, isEntitled: boolean, open: OwnAccount['open']): Html {
  const { webhookId: id, url, events, minEdgePct, minMovePct, lastDeliveryAt, failureCount } = one;
  const only = [...one.sports, ...one.countries, ...one.venues, ...one.bookmakers];
  const deliveries = open?.webhookId === id ? open.deliveries : null;
  return html`<li><p><code>${url}</code></p>
<p class="small">${stateOf(one, isEntitled)} · ${lastDeliveryAt === null ? 'nothing delivered yet' : html`last delivered ${momentText(lastDeliveryAt)}`}${failureCount > 0 && html` · ${amountText(failureCount, 'failed attempt')}${lastDeliveryAt !== null && ' since'}`}</p>
<p class="small">${events.length === 0 ? 'All events but moved starts and changed tracks' : listed(events)}${only.length > 0 && html` · only ${only.join(', ')}`}${minEdgePct !== null && ` · arbs from ${minEdgePct}%`}${minMovePct !== null && ` · price moves from ${minMovePct}%`} · <code>${id}</code></p>
${deliveries === null ? html`<p><a href="/account?webhook=${id}#webhooks">Last deliveries<span class="vh"> of ${url}</span></a></p>` : latest(deliveries)}</li>`;
}

const listed = (events: readonly string[]): Html =>
  html`${events.map((event, i) => html`${i > 0 && ', '}<code>${event}</code>`)}`;

const latest = (deliveries: readonly StoredDelivery[]): Html =>
  deliveries.length === 0
    ? html`<p class="small">No deliveries yet.</p>`
    : html`<ul class="deliveries" aria-label="Last deliveries">${deliveries.map(delivery)}</ul>`;

/** The reason of a cancellation is no attempt's. */
const delivery = ({ kind, test, replayOf, status, error, createdAt, attempts }: StoredDelivery): Html =>
  html`<li><p><code>${kind}</code>${test && ', a test'}${replayOf !== null && ', a replay'} · <b>${status}</b>${status === 'cancelled' && error !== null && html`: ${error}`}</p>
<p class="small">queued ${instantText(createdAt)}</p>${attempts.length > 0 && html`<ol>${attempts.map(attempt)}</ol>`}</li>`;

type Attempt = StoredDelivery['attempts'][number];

const attempt = ({ attempt: nth, startedAt, durationMs, statusCode, error }: Attempt): Html =>
  html`<li class="small">Attempt ${nth}, ${instantText(startedAt)}: ${durationMs === null ? 'no end yet, or cut off' : `${statusCode ?? 'no response'} after ${countText(durationMs)}\u00a0ms`}${error !== null && html`. ${error}`}</li>`;
