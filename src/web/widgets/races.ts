// The races of a widget as its page shows them: best win and place price of each runner, with its bookmaker, its link and its time.
import { clockText, instant, priceText, UNKNOWN, zoneText } from '../format';
import { type Html, html } from '../html';
import { CODE_NAMES, startTime } from '../race-parts';
import type { WidgetFill, WidgetPrice, WidgetRace, WidgetRefusal, WidgetRunner } from './source';

export function widgetRaces({ races, asOfMs }: WidgetFill, nowMs: number): Html {
  if (races.length === 0) return notice('No race is open for betting.');
  return html`${races.map((race) => raceTable(race, nowMs))}
<p class="as-of">Best prices as of <time datetime="${instant(asOfMs)}">${clockText(asOfMs)} ${zoneText(asOfMs)}</time>; each has the time when its bookmaker last confirmed it.</p>`;
}

const NOTICES: Readonly<Record<WidgetRefusal['kind'], string>> = {
  missing: 'Odds are not available here.',
  origin: 'Odds are not available here.',
  changed: 'Odds are not available at the moment.',
  race: 'This race is not open for betting.',
  paused: 'Odds are not available at the moment.',
  plan: 'Odds are not available at the moment.',
  spent: 'Odds are not available at the moment.',
  busy: 'Odds are not available at the moment.',
};

/** What readers learn of a refusal: nothing of the owner's account. */
export const refusalNotice = ({ kind }: WidgetRefusal): Html => notice(NOTICES[kind]);

const notice = (text: string): Html => html`<p class="notice">${text}</p>`;

const raceTable = (
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

function priceCell(price: WidgetPrice | null, name: string): Html {
  if (price === null) return html`<td>${UNKNOWN}<span class="vh"> no price</span></td>`;
  const { url, bookmakerName, updatedMs, stale } = price;
  const shown = html`<b>${priceText(price.price)}</b> <span class="book">${bookmakerName}</span>`;
  const linked =
    url === null
      ? shown
      : html`<a href="${url}" target="_blank" rel="noopener nofollow sponsored">${shown}<span class="vh"> for ${name}, opens a new tab</span></a>`;
  return html`<td>${linked} <time datetime="${instant(updatedMs)}"${stale && html` class="old"`}>${clockText(updatedMs)}${stale && ', old'}</time></td>`;
}
