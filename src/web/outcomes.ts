// Races that have just jumped, and results with placings, settled prices and dividends. Settle only on final (A 3).
import { resultExpectedMs } from '../domain/results/expected-result';
import type { JumpedRace, PlacingRow, RaceOutcome } from './board/model';
import type { RaceTitle } from './board/race-title';
import { dividendsTable } from './dividends';
import { ordinalText, priceText, runTimeText, UNKNOWN } from './format';
import { type Html, html } from './html';
import { age, countryTag, jumpTime, raceLabel, raceName, racePath, startTime, tag, timeAt } from './race-parts';

export function jumpedList(races: readonly JumpedRace[], nowMs: number, chosen = ''): Html {
  return html`<section class="panel" id="jumped" aria-labelledby="jumped-title"><h2 id="jumped-title">Just jumped</h2>
${races.length === 0 ? html`<p class="empty">No race${chosen} is running.</p>` : html`<ul class="jumped">${races.map((race) => jumpedRow(race, nowMs))}</ul>`}
</section>`;
}

/** The board shows as many as the longest exotic needs; the race's own page shows all. */
const isFirstFour = ({ position }: PlacingRow): boolean => position <= 4;

/** Without an age where the jump was not observed. */
function jumpedRow(race: JumpedRace, nowMs: number): Html {
  const { jumpedMs, jumpBasis } = race;
  const ago = jumpBasis === 'observed' && html`, ${age(jumpedMs, nowMs)} ago`;
  return html`<li id="jumped-${race.raceId}"><a href="${racePath(race.raceId)}">${raceLabel(race)}</a>${countryTag(race.country)}<span class="since">off ${jumpTime(jumpedMs, jumpBasis)}${ago}</span></li>`;
}

/** Of a race that has run and has no result. */
export function noResult({ country, startMs }: RaceTitle, nowMs: number): Html {
  if (country === 'HK') return html`<p class="empty">Results of races in Hong Kong are not shown.</p>`;
  const byMs = resultExpectedMs(startMs);
  return nowMs < byMs
    ? html`<p class="empty">No result yet, expected by ${startTime(byMs, nowMs)}.</p>`
    : html`<p class="empty">No result has been reported.</p>`;
}

export function outcomeList(outcomes: readonly RaceOutcome[], chosen = ''): Html {
  return html`<section class="panel" id="results" aria-labelledby="results-title"><h2 id="results-title">Results <span class="h-note">settled fixed prices, tote dividends for $1</span></h2>
${outcomes.length === 0 ? html`<p class="empty">No results${chosen} yet.</p>` : outcomes.map((outcome) => outcomeCard({ ...outcome, placings: outcome.placings.filter(isFirstFour) }, 3))}
<p class="all-past"><a href="/past">All past races</a></p>
</section>`;
}

/** `whole`: with margins and times. */
export function outcomeCard(outcome: RaceOutcome, level: 2 | 3, whole = level === 2): Html {
  const name = html`<a href="${racePath(outcome.raceId)}">${raceLabel(outcome)}</a>${countryTag(outcome.country)}`;
  const title = level === 2 ? html`<h2>Result</h2>` : html`<h3>${name}</h3>`;
  return html`<article class="outcome" id="result-${outcome.raceId}">
<header>${title}${statusTags(outcome)}${outcome.resultedMs !== null && html`<span class="at">${timeAt(outcome.resultedMs)}</span>`}</header>
${outcome.note && outcome.note !== outcome.status && html`<p class="note">${outcome.note}</p>`}
${outcome.placings.length > 0 && placingsTable(outcome, whole)}
${dividendsTable(outcome)}
</article>`;
}

const STATUS_TAGS: Readonly<Record<RaceOutcome['status'], Html>> = {
  interim: tag('warn', 'Interim'),
  final: tag('good', 'Final'),
  abandoned: tag('bad', 'Abandoned'),
};

const statusTags = (outcome: RaceOutcome): Html =>
  html`${STATUS_TAGS[outcome.status]}${outcome.protest && tag('bad', 'Protest')}`;

type Extra = 'sp' | 'margin' | 'timeSeconds';

const EXTRAS: Readonly<Record<Extra, { readonly head: Html; text(row: PlacingRow): string }>> = {
  sp: { head: html`<abbr title="Official starting price">SP</abbr>`, text: ({ sp }) => priceText(sp) },
  margin: { head: html`<abbr title="Margin to the winner">Margin</abbr>`, text: ({ margin }) => margin ?? UNKNOWN },
  timeSeconds: { head: html`Time`, text: ({ timeSeconds }) => runTimeText(timeSeconds) },
};

/** The further columns that at least one runner has. */
function placingsTable(outcome: RaceOutcome, whole: boolean): Html {
  const known = (['sp', 'margin', 'timeSeconds'] as const).filter((name) => whole || name === 'sp');
  const extras = known.filter((name) => outcome.placings.some((row) => row[name] !== null));
  return html`<table class="placings${extras.length > 1 && ' long'}"><caption class="vh">Placings and settled fixed prices, ${raceName(outcome)}</caption>
<thead><tr><th scope="col"><span class="vh">Position</span></th><th scope="col"><abbr title="Number">No</abbr></th><th scope="col" class="wide">Runner</th><th scope="col">Win</th><th scope="col">Place</th>${extras.map((name) => html`<th scope="col">${EXTRAS[name].head}</th>`)}</tr></thead>
<tbody>${outcome.placings.map((row) => placingRow(outcome, row, extras))}</tbody></table>`;
}

function placingRow(outcome: RaceOutcome, row: PlacingRow, extras: readonly Extra[]): Html {
  return html`<tr><td class="pos">${ordinalText(row.position)}</td><td><span class="cloth cloth-${outcome.category}-${row.number}">${row.number}</span></td><th scope="row">${row.name ?? UNKNOWN}${row.deadHeat && html` ${tag('quiet', 'dead heat')}`}</th><td class="num">${priceText(row.win)}</td><td class="num">${priceText(row.place)}</td>${extras.map((name) => html`<td class="num">${EXTRAS[name].text(row)}</td>`)}</tr>`;
}
