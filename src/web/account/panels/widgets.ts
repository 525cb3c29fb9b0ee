// The account's widgets: where each may stand, how often it is filled, and the markup to paste. They are changed by the
// API.
import { embedMarkup, embedUrl } from '../../../domain/widgets/caption';
import { LIMITS } from '../../../plans/limits';
import { mayUse } from '../../../plans/rights';
import type { StoredWidget } from '../../../store/widgets/widgets';
import { type Html, html } from '../../html';
import { copied } from '../copied';
import { amountText, countText, momentText } from '../moments';
import type { OwnAccount } from '../own-account';

export function widgetsPanel({ widgets, plan, issuedAt, baseUrl }: OwnAccount): Html | null {
  const isEntitled = mayUse('widgets', plan, issuedAt);
  if (!isEntitled && widgets.length === 0) return null;
  return html`<section class="panel" id="widgets" aria-labelledby="widgets-title"><h2 id="widgets-title">Widgets<span class="h-note">${countText(widgets.length)}${isEntitled && ` of ${LIMITS[plan.id].widgets}`}</span></h2><div class="body">
<p class="small">Best odds in pages of your own sites. <a href="/docs">The API</a> creates, changes and deletes them.</p>
${widgets.length > 0 && html`<ul class="team">${widgets.map((one) => widget(one, isEntitled, baseUrl))}</ul>`}</div></section>`;
}

function widget(one: StoredWidget, isEntitled: boolean, baseUrl: string): Html {
  const { widgetId: id, name, allowedOrigins, shows, fillsLastHour, maxFillsPerHour, lastFilledAt } = one;
  const sportKey = shows.type === 'sports' ? shows.sportKey : null;
  const markup = embedMarkup(embedUrl(baseUrl, one.embedId), sportKey);
  return html`<li><p><b>${name}</b> <code>${id}</code></p>
<p class="small">${stateOf(one, isEntitled)} · ${amountText(fillsLastHour, 'fill')} of ${countText(maxFillsPerHour)} in the last hour · ${monthOf(one)} · ${lastFilledAt === null ? 'not filled yet' : html`last filled ${momentText(lastFilledAt)}`}</p>
<p class="small">On ${allowedOrigins.map((origin, i) => html`${i > 0 && ', '}<code>${origin}</code>`)}</p>
<details class="more"><summary>Markup<span class="vh"> of ${name}</span></summary>${copied(`Markup of ${name}`, markup, `markup-${id}`)}</details></li>`;
}

const monthOf = ({ fillsThisMonth, maxFillsPerMonth }: StoredWidget): string =>
  `${countText(fillsThisMonth)}${maxFillsPerMonth === null ? '' : ` of ${countText(maxFillsPerMonth)}`} this month`;

function stateOf(
  { paused, fillsLastHour, maxFillsPerHour, fillsThisMonth, maxFillsPerMonth }: StoredWidget,
  isEntitled: boolean,
): Html {
  if (!isEntitled) return html`<b>Shows nothing</b>: your plan does not include widgets`;
  if (paused) return html`<b>Paused</b> by you`;
  if (maxFillsPerMonth !== null && fillsThisMonth >= maxFillsPerMonth)
    return html`<b>Monthly limit reached</b>: readers get the last prices until next month`;
  return fillsLastHour < maxFillsPerHour
    ? html`<b>Active</b>`
    : html`<b>Hourly limit reached</b>: prices resume when earlier fills are an hour old`;
}
