// The strip "next to jump": one link per race, first to jump first. The race shown in full below it is marked as
// current.
import type { RaceCard } from './board/model';
import { priceText, UNKNOWN } from './format';
import { type Html, html } from './html';
import { countdown, countryTag, raceLabel, racePath, staleFrom, startTime, whileStale } from './race-parts';

/** `chosen`: after the noun, where a choice of races is shown. */
export function nextStrip(races: readonly RaceCard[], currentId: string | null, nowMs: number, chosen = ''): Html {
  if (races.length === 0) return html`<p class="empty">No race${chosen} is open for betting.</p>`;
  return html`<nav class="strip" aria-label="Next to jump">
<ol>${races.map((race) => html`<li>${card(race, race.raceId === currentId, nowMs)}</li>`)}</ol>
</nav>`;
}

function card(race: RaceCard, current: boolean, nowMs: number): Html {
  const stale = isStale(race, nowMs);
  return html`<a class="card${stale && ' stale'}"${staleFrom(race.favourite?.staleFromMs ?? null)} id="next-${race.raceId}" href="${racePath(race.raceId)}"${current && html` aria-current="true"`}>
<span class="card-top">${countdown(race.startMs, nowMs)}<span class="card-at">${startTime(race.startMs, nowMs)}</span></span>
<span class="card-race">${raceLabel(race)}${countryTag(race.country)}</span>
<span class="card-fav">${favourite(race, stale)}</span>
</a>`;
}

const isStale = ({ favourite: runner }: RaceCard, nowMs: number): boolean =>
  runner !== null && nowMs >= runner.staleFromMs;

function favourite({ favourite: runner }: RaceCard, stale: boolean): Html {
  if (runner === null) return html`<span class="vh">Favourite </span>${UNKNOWN}`;
  return html`<span class="vh">Favourite </span><span class="fav-name">${runner.number} ${runner.name}</span><b>${priceText(runner.price)}<span class="vh">${whileStale(', stale', stale)}</span></b>`;
}
