// A match of a widget as its page shows it: the best price of each selection in one market.
import { type MatchMarket, sportOf } from '../../domain/sports/sports';
import { type Html, html } from '../html';
import { countdown, startTime } from '../race-parts';
import { MATCH_MARKET_NAMES, selectionText } from '../sports/selection';
import { priceCell } from './price-cell';
import type { WidgetContent, WidgetMatch, WidgetSelection } from './source';

export const matchTable = (
  { eventId, homeTeam, awayTeam, competition, startMs, selections }: WidgetMatch,
  { sportKey, market }: Extract<WidgetContent, { type: 'sports' }>,
  nowMs: number,
): Html =>
  html`<section aria-labelledby="match-${eventId}"><h2 id="match-${eventId}">${homeTeam} v ${awayTeam}</h2>${countdown(startMs, nowMs)}
<p class="about">${startTime(startMs, nowMs)} · ${competition ?? sportOf(sportKey)?.title ?? sportKey} · ${MATCH_MARKET_NAMES[market]}</p>
${
  selections.length === 0
    ? html`<p class="notice">No bookmaker has a price.</p>`
    : html`<table aria-labelledby="match-${eventId}"><thead><tr><th scope="col">Selection</th><th scope="col">Best price</th></tr></thead>
<tbody>${selections.map((one) => selectionRow(one, market, nowMs))}</tbody></table>`
}</section>`;

function selectionRow(selection: WidgetSelection, market: MatchMarket, nowMs: number): Html {
  const name = selectionText(selection.name, selection.point, market);
  return html`<tr><th scope="row">${name}</th>${priceCell(selection.best, name, nowMs, selection.best?.suspect)}</tr>`;
}
