// A race of a widget as its page shows it: the best win and place price of each runner.
import { type Html, html } from '../html';
import { CODE_NAMES, startTime } from '../race-parts';
import { priceCell } from './price-cell';
import type { WidgetRace, WidgetRunner } from './source';

export const raceTable = (
  { raceId, venue, raceNumber, category, country, raceName, startMs, runners }: WidgetRace,
  nowMs: number,
): Html =>
  html`<section aria-labelledby="race-${raceId}"><h2 id="race-${raceId}">${venue} R${raceNumber}</h2>
<p class="about">${startTime(startMs, nowMs)} · ${CODE_NAMES[category]}${country !== null && html` · ${country}`}${raceName !== null && html` · ${raceName}`}</p>
<table aria-labelledby="race-${raceId}"><thead><tr><th scope="col">Runner</th><th scope="col">Best win</th><th scope="col">Best place</th></tr></thead>
<tbody>${runners.map(runnerRow)}</tbody></table></section>`;

const runnerRow = ({ number, name, scratched, win, place }: WidgetRunner): Html => {
  const head = html`<th scope="row"><span class="no">${number}</span> ${name}</th>`;
  return scratched
    ? html`<tr class="scratched">${head}<td colspan="2">Scratched</td></tr>`
    : html`<tr>${head}${priceCell(win, name)}${priceCell(place, name)}</tr>`;
};
