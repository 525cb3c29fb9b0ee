// A race of a widget as its page shows it: the best win and place price of each runner.
import type { Category } from '../../domain/race/race';
import { type Html, html } from '../html';
import { CODE_NAMES, countdown, startTime } from '../race-parts';
import { priceCell } from './price-cell';
import type { WidgetRace, WidgetRunner } from './source';

export const raceTable = (
  { raceId, venue, raceNumber, category, country, raceName, startMs, runners }: WidgetRace,
  nowMs: number,
): Html =>
  html`<section aria-labelledby="race-${raceId}"><h2 id="race-${raceId}">${venue} R${raceNumber}</h2>${countdown(startMs, nowMs)}
<p class="about">${startTime(startMs, nowMs)} · ${CODE_NAMES[category]}${country !== null && html` · ${country}`}${raceName !== null && html` · ${raceName}`}</p>
<table aria-labelledby="race-${raceId}"><thead><tr><th scope="col">Runner</th><th scope="col">Best win</th><th scope="col">Best place</th></tr></thead>
<tbody>${runners.map((runner) => runnerRow(runner, category, nowMs))}</tbody></table></section>`;

const runnerRow = ({ number, name, scratched, win, place }: WidgetRunner, category: Category, nowMs: number): Html => {
  const head = html`<th scope="row"><span class="cloth cloth-${category}-${number}">${number}</span> ${name}</th>`;
  return scratched
    ? html`<tr class="scratched">${head}<td colspan="2">Scratched</td></tr>`
    : html`<tr>${head}${priceCell(win, name, nowMs)}${priceCell(place, name, nowMs)}</tr>`;
};
