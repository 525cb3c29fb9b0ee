// The account's webhooks: whether each is posted to, and a form for another.
import { mayUse } from '../../../plans/rights';
import type { StoredWebhook } from '../../../store/webhooks/webhooks';
import { type Html, html } from '../../html';
import { formProblem, textField } from '../forms/fields';
import { EMPTY, type Filled } from '../forms/filled';
import { amountText, countText, momentText } from '../moments';
import type { OwnAccount } from '../own-account';

export const WEBHOOK_LABELS = { url: 'The address' };

/** `filled`: the form that is shown again; null: none is. */
export function webhooksPanel({ webhooks, plan, issuedAt }: OwnAccount, filled: Filled | null): Html | null {
  const isEntitled = mayUse('webhooks', plan, issuedAt);
  if (!isEntitled && webhooks.length === 0) return null;
  return html`<section class="panel" id="webhooks" aria-labelledby="webhooks-title"><h2 id="webhooks-title">Webhooks<span class="h-note">${countText(webhooks.length)}</span></h2><div class="body">
<p class="small">The service posts events to these addresses.</p>
${webhooks.length > 0 && html`<ul class="team">${webhooks.map((one) => summary(one, isEntitled))}</ul>`}
${isEntitled && adding(filled)}</div></section>`;
}

const adding = (filled: Filled | null): Html =>
  html`<details class="more"${filled && html` open`}><summary>Add a webhook</summary><form method="post" action="/account/webhooks">${formProblem(filled ?? EMPTY)}
${textField({ form: 'webhook-new', name: 'url', label: 'Address', isRequired: true, maxLength: 2048, hint: html`An <code>https</code> address of yours that accepts POST. It gets every event of every sport; <a href="/docs">the API</a> narrows that by event, sport, country, venue and bookmaker.` }, filled ?? EMPTY)}
<button class="button primary">Add the webhook and show its secret</button></form></details>`;

const DISABLED = {
  gone: html`<b>Disabled</b>: the receiver responded with 410`,
  failing: html`<b>Disabled</b>: every attempt of five days failed`,
};

export function postingState({ disabledReason, paused }: StoredWebhook, isEntitled: boolean): Html {
  if (!isEntitled) return html`<b>Not posted to</b>: your plan does not include webhooks`;
  if (disabledReason !== null) return DISABLED[disabledReason];
  return paused ? html`<b>Paused</b> by you` : html`<b>Active</b>`;
}

function summary(one: StoredWebhook, isEntitled: boolean): Html {
  const { webhookId: id, url, lastDeliveryAt, failureCount } = one;
  return html`<li><p><a href="/account/webhooks/${id}"><code>${url}</code></a></p>
<p class="small">${postingState(one, isEntitled)} · ${lastDeliveryAt === null ? 'nothing delivered yet' : html`last delivered ${momentText(lastDeliveryAt)}`}${failureCount > 0 && html` · ${amountText(failureCount, 'failed attempt')}${lastDeliveryAt !== null && ' since'}`}</p>
<p class="small">${wantedBy(one)}</p></li>`;
}

/** Which events it gets. */
export function wantedBy({ events, minEdgePct, minMovePct, ...one }: StoredWebhook): Html {
  const only = [...one.sports, ...one.countries, ...one.venues, ...one.bookmakers];
  return html`${events.length === 0 ? 'All events but those that a webhook must name' : listed(events)}${only.length > 0 && html` · only ${only.join(', ')}`}${minEdgePct !== null && ` · arbs from ${minEdgePct}%`}${minMovePct !== null && ` · price moves from ${minMovePct}%`} · <code>${one.webhookId}</code>`;
}

const listed = (events: readonly string[]): Html =>
  html`${events.map((event, i) => html`${i > 0 && ', '}<code>${event}</code>`)}`;
