// The last hour of each runner's prices: pick one and a script draws its chart, with a summary in text above it and all
// runners as a table below. Without the script the table has the same figures.
import type { PricedAt } from '../board/course/course';
import type { RaceSheet, RunnerHour, RunnerRow } from '../board/model';
import { priceText, signedPercentText } from '../format';
import { type Html, html } from '../html';
import { isStaleNow, raceName, racePath, staleFrom, timeAt, whileStale } from '../race-parts';
import { directionOf, firstMoverSentence, signalSentence } from './market-text';

/** A runner whose prices were captured. */
type Charted = RunnerRow & { readonly hour: RunnerHour };

const isCharted = (runner: RunnerRow): runner is Charted => runner.hour !== null;

export interface HourOptions {
  readonly nowMs: number;
  readonly level: 2 | 3;
  /** Where the script fetches the data of the chart. Default: that of the live race. */
  readonly pricesPath?: string;
}

export function hourPanel(race: RaceSheet, { nowMs, level, pricesPath }: HourOptions): Html {
  const path = pricesPath ?? `${racePath(race.raceId)}/prices`;
  const runners = race.runners.filter(isCharted);
  const title = html`Last hour<span class="h-note">win prices, captured from 60 minutes before the jump</span>`;
  const head = level === 2 ? html`<h2 id="hour-title">${title}</h2>` : html`<h3 id="hour-title">${title}</h3>`;
  return html`<section class="hour" id="hour-${race.raceId}" aria-labelledby="hour-title"${runners.length > 0 && html` data-prices="${path}"`}>
${head}
${runners.length === 0 ? html`<p class="empty">No prices captured yet.</p>` : charts(race, runners, nowMs)}
</section>`;
}

function charts(race: RaceSheet, runners: readonly Charted[], nowMs: number): Html {
  const first = firstPick(runners).number;
  return html`<div class="hour-body">
<fieldset class="picks"><legend class="vh">Runner on the chart</legend>${runners.map((runner) => pick(race, runner, runner.number === first))}</fieldset>
<div class="plot-side">
<div class="runner-summaries">${runners.map((runner) => summary(race, runner, runner.number === first))}</div>
<div class="plot-frame"><div class="plot" id="plot-${race.raceId}" role="img" data-drawn></div><p class="plot-note" id="plot-note-${race.raceId}" aria-hidden="true" data-drawn>Loading the chart …</p></div>
<p class="vh" role="status" id="picked-${race.raceId}" data-drawn></p>
<div class="plot-foot" aria-hidden="true"><ul class="plot-key"><li><i class="line-best"></i>best price</li><li><i class="line-cons"></i>consensus</li><li><i class="line-book"></i>one book</li></ul><p class="readout" id="readout-${race.raceId}" data-drawn></p></div>
</div></div>
${hourTable(race, runners, nowMs)}`;
}

/** The favourite; among equals the first. */
function firstPick(runners: readonly Charted[]): Charted {
  const price = (runner: Charted): number => runner.win.best?.price ?? Number.POSITIVE_INFINITY;
  return runners.reduce((first, runner) => (price(runner) < price(first) ? runner : first));
}

function pick({ raceId, category }: RaceSheet, runner: Charted, first: boolean): Html {
  const { number, name, win } = runner;
  const id = `pick-${raceId}-${number}`;
  return html`<div class="pick"><input type="radio" id="${id}" name="pick-${raceId}" value="${number}"${first && html` checked`}><label for="${id}"><span class="cloth cloth-${category}-${number}">${number}</span><span class="pick-name">${name}</span>${moveText(runner)}<b><span class="vh">best </span>${priceText(win.best?.price ?? null)}</b></label></div>`;
}

function moveText({ hour: { signal, movePct } }: Charted): Html {
  const moved = movePct === null || Math.abs(movePct) < 1 ? null : signedPercentText(movePct, 0);
  return html`<span class="pick-move${directionOf(signal)}">${moved && html`<span class="vh">moved </span>${moved}`}</span>`;
}

function summary({ raceId }: RaceSheet, runner: Charted, first: boolean): Html {
  const { number, name, hour } = runner;
  return html`<div class="runner-summary" id="summary-${raceId}-${number}" data-runner="${number}"${first && html` data-shown`}><p class="runner-summary-name">${number} ${name}</p>
<p>Best price first captured at ${at(hour.best.first)}, high ${at(hour.best.high)}, low ${at(hour.best.low)}.</p>
<p>${signalSentence(runner, hour)}</p>
<p>${firstMoverSentence(hour)}</p></div>`;
}

const at = ({ price, atMs }: PricedAt): Html => html`<b>${priceText(price)}</b> (${timeAt(atMs)})`;

function hourTable(race: RaceSheet, runners: readonly Charted[], nowMs: number): Html {
  const caption = `Win prices of the last hour, ${raceName(race)}`;
  return html`<details class="hour-table" id="hour-table-${race.raceId}"><summary>All runners as a table</summary>
<div class="hour-scroll" role="region" aria-label="${caption}" tabindex="0"><table><caption class="vh">${caption}. Times are Sydney time where no other zone stands.</caption>
<thead><tr><th scope="col">Runner</th><th scope="col">First captured</th><th scope="col">High</th><th scope="col">Low</th><th scope="col">${race.jumpedMs === null ? 'Now' : 'Last'}</th><th scope="col" class="in-words">In words</th></tr></thead>
<tbody>${runners.map((runner) => tableRow(runner, nowMs))}</tbody></table></div></details>`;
}

function tableRow(runner: Charted, nowMs: number): Html {
  const { number, name, hour, win } = runner;
  const cells = [hour.best.first, hour.best.high, hour.best.low].map(
    ({ price, atMs }) => html`<td>${priceText(price)} ${timeAt(atMs)}</td>`,
  );
  return html`<tr><th scope="row">${number} ${name}</th>${cells}${bestNow(win.best, nowMs)}<td class="in-words">${signalSentence(runner, hour)} ${firstMoverSentence(hour)}</td></tr>`;
}

function bestNow(best: RunnerRow['win']['best'], nowMs: number): Html {
  if (best === null) return html`<td>${priceText(null)}</td>`;
  const stale = isStaleNow(best, nowMs);
  return html`<td class="now-best${stale && ' stale'}"${staleFrom(best.staleFromMs)}>${priceText(best.price)} ${whileStale('stale', stale)}</td>`;
}
