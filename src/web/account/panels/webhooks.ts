// The account's webhooks: whether each is posted to, and the last deliveries of one, with their attempts. They are
// changed by the API.
import { type Html, html } from '../../html';
import { amountText, countText, instantText, momentText } from '../moments';
import type { AccountView } from '../source';
import type { DeliveryRow, WebhookCard, Webhooks } from '../webhooks';

export function webhooksPanel({ webhooks }: AccountView): Html | null {
  const { isEntitled, list, open } = webhooks;
  if (!isEntitled && list.length === 0) return null;
  return html`<section class="panel" id="webhooks" aria-labelledby="webhooks-title"><h2 id="webhooks-title">Webhooks<span class="h-note">${countText(list.length)}</span></h2><div class="body">
<p class="small">The service posts events to these addresses. <a href="/docs">The API</a> creates, changes, tests and replays them.</p>
${list.length > 0 && html`<ul class="team">${list.map((one) => webhook(one, open))}</ul>`}</div></section>`;
}

const STATES = {
  plan: html`<b>Not posted to</b>: your plan does not include webhooks`,
  paused: html`<b>Paused</b> by you`,
  gone: html`<b>Disabled</b>: the receiver responded with 410`,
  failing: html`<b>Disabled</b>: every attempt of five days failed`,
};

function webhook(
  { id, url, events, only, minEdgePct, minMovePct, pausedReason, lastDeliveryMs, failures }: WebhookCard,
  open: Webhooks['open'],
): Html {
  const deliveries = open?.id === id ? open.deliveries : null;
  return html`<li><p><code>${url}</code></p>
<p class="small">${pausedReason === null ? html`<b>Active</b>` : STATES[pausedReason]} · ${lastDeliveryMs === null ? 'nothing delivered yet' : html`last delivered ${momentText(lastDeliveryMs)}`}${failures > 0 && html` · ${amountText(failures, 'failed attempt')}${lastDeliveryMs !== null && ' since'}`}</p>
<p class="small">${events.length === 0 ? 'All events but moved starts and changed tracks' : listed(events)}${only.length > 0 && html` · only ${only.join(', ')}`}${minEdgePct !== null && ` · arbs from ${minEdgePct}%`}${minMovePct !== null && ` · price moves from ${minMovePct}%`} · <code>${id}</code></p>
${deliveries === null ? html`<p><a href="/account?webhook=${id}#webhooks">Last deliveries<span class="vh"> of ${url}</span></a></p>` : latest(deliveries)}</li>`;
}

const listed = (events: readonly string[]): Html =>
  html`${events.map((event, i) => html`${i > 0 && ', '}<code>${event}</code>`)}`;

const latest = (deliveries: readonly DeliveryRow[]): Html =>
  deliveries.length === 0
    ? html`<p class="small">No deliveries yet.</p>`
    : html`<ul class="deliveries" aria-label="Last deliveries">${deliveries.map(delivery)}</ul>`;

/** The reason of a cancellation is no attempt's. */
const delivery = ({ event, isTest, isReplay, status, error, createdMs, attempts }: DeliveryRow): Html =>
  html`<li><p><code>${event}</code>${isTest && ', a test'}${isReplay && ', a replay'} · <b>${status}</b>${status === 'cancelled' && error !== null && html`: ${error}`}</p>
<p class="small">queued ${instantText(createdMs)}</p>${attempts.length > 0 && html`<ol>${attempts.map(attempt)}</ol>`}</li>`;

const attempt = ({ attempt: nth, startedMs, durationMs, statusCode, error }: DeliveryRow['attempts'][number]): Html =>
  html`<li class="small">Attempt ${nth}, ${instantText(startedMs)}: ${durationMs === null ? 'no end yet, or cut off' : `${statusCode ?? 'no response'} after ${countText(durationMs)}\u00a0ms`}${error !== null && html`. ${error}`}</li>`;
