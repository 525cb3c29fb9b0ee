// The account's widgets: where each may stand, how often it is filled, and the markup to paste. They are changed by the
// API.
import { type Html, html } from '../../html';
import { copied } from '../copied';
import { amountText, countText, momentText } from '../moments';
import type { AccountView } from '../source';
import type { WidgetCard, Widgets } from '../widgets';

export function widgetsPanel({ widgets }: AccountView): Html | null {
  const { isEntitled, most, list } = widgets;
  if (!isEntitled && list.length === 0) return null;
  return html`<section class="panel" id="widgets" aria-labelledby="widgets-title"><h2 id="widgets-title">Widgets<span class="h-note">${countText(list.length)}${isEntitled && ` of ${most}`}</span></h2><div class="body">
<p class="small">Best odds in pages of your own sites. <a href="/docs">The API</a> creates, changes and deletes them.</p>
${list.length > 0 && html`<ul class="team">${list.map((one) => widget(one, isEntitled))}</ul>`}</div></section>`;
}

const widget = (card: WidgetCard, isEntitled: boolean): Html => {
  const { id, name, origins, markup, fillsLastHour, maxFillsPerHour, lastFilledMs } = card;
  return html`<li><p><b>${name}</b> <code>${id}</code></p>
<p class="small">${stateOf(card, isEntitled)} · ${amountText(fillsLastHour, 'fill')} of ${countText(maxFillsPerHour)} in the last hour · ${monthOf(card)} · ${lastFilledMs === null ? 'not filled yet' : html`last filled ${momentText(lastFilledMs)}`}</p>
<p class="small">On ${origins.map((origin, i) => html`${i > 0 && ', '}<code>${origin}</code>`)}</p>
<details class="more"><summary>Markup<span class="vh"> of ${name}</span></summary>${copied(`Markup of ${name}`, markup, `markup-${id}`)}</details></li>`;
};

const monthOf = ({ fillsThisMonth, maxFillsPerMonth }: WidgetCard): string =>
  `${countText(fillsThisMonth)}${maxFillsPerMonth === null ? '' : ` of ${countText(maxFillsPerMonth)}`} this month`;

function stateOf(
  { isPaused, fillsLastHour, maxFillsPerHour, fillsThisMonth, maxFillsPerMonth }: WidgetCard,
  isEntitled: Widgets['isEntitled'],
): Html {
  if (!isEntitled) return html`<b>Shows nothing</b>: your plan does not include widgets`;
  if (isPaused) return html`<b>Paused</b> by you`;
  if (maxFillsPerMonth !== null && fillsThisMonth >= maxFillsPerMonth)
    return html`<b>Monthly limit reached</b>: readers get the last prices until next month`;
  return fillsLastHour < maxFillsPerHour
    ? html`<b>Active</b>`
    : html`<b>Hourly limit reached</b>: prices resume when earlier fills are an hour old`;
}
