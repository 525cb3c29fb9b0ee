// What came of races: those just off, and results with placings, settled prices and dividends. Settle only on final (A 3).
import type { ExoticDividend, JumpedRace, PlacingRow, RaceOutcome } from '../api/services/board-model';
import { clockText, instant, moneyText, priceText, timeText, UNKNOWN } from './format';
import { type Fragment, type Html, html } from './html';
import { age, countryTag, raceLabel, raceName, racePath, tag } from './race-parts';

export function jumpedList(races: readonly JumpedRace[], nowMs: number): Html {
  return html`<section class="panel" id="jumped" aria-labelledby="jumped-title"><h2 id="jumped-title">Just jumped</h2>
${races.length === 0 ? html`<p class="empty">No race is running.</p>` : html`<ul class="jumped">${races.map((race) => jumpedRow(race, nowMs))}</ul>`}
</section>`;
}

function jumpedRow(race: JumpedRace, nowMs: number): Html {
  return html`<li id="jumped-${race.raceId}"><a href="${racePath(race.raceId)}">${raceLabel(race)}</a>${countryTag(race.country)}<span class="since">off <time datetime="${instant(race.jumpedMs)}">${clockText(race.jumpedMs)}</time>, ${age(race.jumpedMs, nowMs)} ago</span></li>`;
}

export function outcomeList(outcomes: readonly RaceOutcome[]): Html {
  return html`<section class="panel" id="results" aria-labelledby="results-title"><h2 id="results-title">Results <span class="h-note">settled fixed prices, tote on $1</span></h2>
${outcomes.length === 0 ? html`<p class="empty">No result yet.</p>` : outcomes.map((outcome) => outcomeCard(outcome, 3))}
</section>`;
}

export function outcomeCard(outcome: RaceOutcome, level: 2 | 3): Html {
  const name = html`<a href="${racePath(outcome.raceId)}">${raceLabel(outcome)}</a>${countryTag(outcome.country)}`;
  const title = level === 2 ? html`<h2>Result</h2>` : html`<h3>${name}</h3>`;
  return html`<article class="outcome" id="result-${outcome.raceId}">
<header>${title}${statusTags(outcome)}${outcome.resultedMs !== null && html`<time class="at" datetime="${instant(outcome.resultedMs)}">${timeText(outcome.resultedMs)}</time>`}</header>
${outcome.note && outcome.note !== outcome.status && html`<p class="note">${outcome.note}</p>`}
${outcome.placings.length > 0 && placingsTable(outcome)}
${toteTable(outcome)}${exoticsList(outcome)}
</article>`;
}

const STATUS_TAGS: Readonly<Record<RaceOutcome['status'], Html>> = {
  interim: tag('warn', 'Interim'),
  final: tag('good', 'Final'),
  abandoned: tag('bad', 'Abandoned'),
};

const statusTags = (outcome: RaceOutcome): Html =>
  html`${STATUS_TAGS[outcome.status]}${outcome.protest && tag('bad', 'Protest')}`;

function placingsTable(outcome: RaceOutcome): Html {
  const withSp = outcome.placings.some((row) => row.sp !== null);
  return html`<table class="placings"><caption class="vh">Placings and settled fixed prices, ${raceName(outcome)}</caption>
<thead><tr><th scope="col"><span class="vh">Position</span></th><th scope="col"><abbr title="Number">No</abbr></th><th scope="col" class="wide">Runner</th><th scope="col">Win</th><th scope="col">Place</th>${withSp && html`<th scope="col"><abbr title="Official starting price">SP</abbr></th>`}</tr></thead>
<tbody>${outcome.placings.map((row) => placingRow(outcome, row, withSp))}</tbody></table>`;
}

function placingRow(outcome: RaceOutcome, row: PlacingRow, withSp: boolean): Html {
  return html`<tr><td class="pos">${ordinal(row.position)}</td><td><span class="cloth cloth-${outcome.category}-${row.number}">${row.number}</span></td><th scope="row">${row.name ?? UNKNOWN}${row.deadHeat && html` ${tag('quiet', 'dead heat')}`}</th><td class="num">${priceText(row.win)}</td><td class="num">${priceText(row.place)}</td>${withSp && html`<td class="num">${priceText(row.sp)}</td>`}</tr>`;
}

function ordinal(position: number): string {
  return `${position}${['th', 'st', 'nd', 'rd'][position > 3 ? 0 : position]}`;
}

/** Tote dividends, a line per product: the win, then the places in order of the placings. The fixed prices stand in the placings. */
function toteTable(outcome: RaceOutcome): Html | null {
  const products = [...new Set(outcome.straight.map((row) => row.product))].filter((product) => product !== 'FIXED');
  if (products.length === 0) return null;
  return html`<table class="tote"><caption class="vh">Tote dividends on a $1 stake, ${raceName(outcome)}</caption>
<thead><tr><th scope="col">Tote</th><th scope="col">Win</th><th scope="col">Place</th></tr></thead>
<tbody>${products.map((product) => html`<tr><th scope="row">${product}</th><td class="num">${amounts(outcome, product, 'WIN')}</td><td class="num">${amounts(outcome, product, 'PLC')}</td></tr>`)}</tbody></table>`;
}

function amounts(outcome: RaceOutcome, product: string, market: 'WIN' | 'PLC'): Fragment {
  const rows = outcome.straight.filter((row) => row.product === product && row.market === market);
  if (rows.length === 0) return UNKNOWN;
  return rows.map(
    (row) =>
      html`<span class="amount"><abbr title="Runner ${row.number}">${row.number}</abbr> ${priceText(row.amount)}</span> `,
  );
}

function exoticsList({ exotics }: RaceOutcome): Html | null {
  if (exotics.length === 0) return null;
  return html`<dl class="exotics">${exotics.map(exotic)}</dl>`;
}

const exotic = (row: ExoticDividend): Html =>
  html`<div><dt>${row.type}${row.product !== '' && html` <span class="product">${row.product}</span>`}</dt><dd><span class="selection">${row.selection.replaceAll(',', ' · ')}</span> <b>${moneyText(row.amount)}</b></dd></div>`;
