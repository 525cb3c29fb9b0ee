// A meeting on one page, to read and to print: its races with their runners, the best prices of each with the book and
// the time of its response, and the placings once there are some. It has no claim that its prices are those of now.
import type { Day } from '../../domain/race/race';
import type { BookColumn, PriceLine, RaceSheet, RunnerRow } from '../board/model';
import { ordinalText, percentText, priceText, UNKNOWN } from '../format';
import { type Html, html } from '../html';
import { dayText } from '../past/words';
import {
  clockAt,
  codeIcon,
  isStaleNow,
  jumpTime,
  pastRacePath,
  raceLabel,
  racePath,
  runnerName,
  startTime,
  tag,
} from '../race-parts';
import { hasTable } from '../sheet/race-sheet';
import { type DayOptions, dayPath, meetingFacts, meetingName, noonOf } from './day-page';
import type { DayMeeting, PrintedRace } from './model';

/** No meeting has more; of a day that lists more under one key, the first are shown. */
export const RACES_A_PAGE = 24;

export const meetingTitle = ({ venue }: DayMeeting, day: Day, today: Day): string =>
  `${venue}, ${dayText(day, today)}: runners and best prices`;

type Options = Pick<DayOptions, 'nowMs' | 'today'>;

/** `races`: of the meeting, by number. */
export function meetingMain(
  meeting: DayMeeting,
  day: Day,
  races: readonly PrintedRace[],
  { nowMs, today }: Options,
): Html {
  return html`<header class="day-head"><h1 id="page-title">${codeIcon(meeting.category)}${meetingName(meeting, false)}</h1>
<p><a href="${dayPath('races', day)}">${dayText(day, today)}</a> · as of ${clockAt(nowMs)}</p>
<p class="meeting-facts">${meetingFacts(meeting, noonOf(day), nowMs)}</p></header>
${races.map((race) => raceOf(race, noonOf(day), nowMs))}`;
}

function raceOf({ sheet, outcome }: PrintedRace, dayMs: number, nowMs: number): Html {
  const id = `race-${sheet.raceId}`;
  const placings = new Map(outcome?.placings.map(({ number, position }) => [number, position]));
  const interim = outcome?.status === 'interim' && html` ${tag('warn', 'Interim')}`;
  return html`<section class="panel meeting-race" aria-labelledby="${id}"><header><h2 id="${id}"><a href="${racePath(sheet.raceId)}">${raceLabel(sheet)}</a>${interim}</h2>
<p class="meeting-facts">${raceFacts(sheet, dayMs).map((fact) => html`<span>${fact}</span> `)}</p></header>
${sheet.runners.length === 0 ? html`<p class="empty">No runners are listed.</p>` : runnersTable(sheet, placings, nowMs)}
${!hasTable(sheet) && sheet.state === 'jumped' && html`<p class="empty">Its prices are shown until 10 minutes after the jump. <a href="${pastRacePath(sheet.raceId)}">What is kept of them</a></p>`}</section>`;
}

function raceFacts(sheet: RaceSheet, dayMs: number): Html[] {
  const { startMs, jumpedMs, jumpBasis, state, distanceM, raceName, bestMarketPct } = sheet;
  const jumped = jumpedMs !== null && state !== 'abandoned';
  return [
    jumped ? html`jumped ${jumpTime(jumpedMs, jumpBasis)}` : html`${startTime(startMs, dayMs)}`,
    state === 'abandoned' && html`${tag('bad', 'Abandoned')}`,
    state === 'suspended' && html`${tag('warn', 'Suspended')}`,
    raceName && html`${raceName}`,
    distanceM !== null && html`${distanceM} m`,
    bestMarketPct !== null && html`best prices ${percentText(bestMarketPct)}`,
  ].filter((fact) => fact instanceof Object);
}

function runnersTable(sheet: RaceSheet, placings: ReadonlyMap<number, number>, nowMs: number): Html {
  const withPlace = sheet.runners.some(({ place }) => place.best !== null);
  const note = sheet.jumpedMs === null ? '' : ', the last before the jump';
  return html`<table class="meeting-table"><caption class="vh">Runners and best prices${note}</caption>
<thead><tr><th scope="col" class="c-number"><abbr title="Number">No</abbr></th><th scope="col">Runner</th><th scope="col">Best win</th><th scope="col" class="c-fair">Consensus</th>${withPlace && html`<th scope="col">Best place</th>`}</tr></thead>
<tbody>${sheet.runners.map((runner) => runnerRow({ sheet, nowMs, withPlace }, runner, placings.get(runner.number) ?? null))}</tbody></table>`;
}

interface Table {
  readonly sheet: RaceSheet;
  readonly nowMs: number;
  /** Some book has a place price. */
  readonly withPlace: boolean;
}

function runnerRow({ sheet, nowMs, withPlace }: Table, runner: RunnerRow, position: number | null): Html {
  const cloth = html`<span class="cloth cloth-${sheet.category}-${runner.number}">${runner.number}</span>`;
  if (runner.scratching)
    return html`<tr class="is-out"><td>${cloth}</td><th scope="row"><s>${runner.name}</s></th><td colspan="${withPlace ? 3 : 2}">Scratched</td></tr>`;
  const placed = position !== null && html` ${tag('place', ordinalText(position))}`;
  const barrier = runner.barrier !== null && sheet.category !== 'greyhound' && html` (${runner.barrier})`;
  const people = [runner.jockey, runner.trainer].filter((name) => name !== null).join(', ');
  return html`<tr><td>${cloth}</td><th scope="row">${runnerName(sheet, runner.name)}${barrier}${placed}<span class="people">${people}</span></th>
<td>${bestOf(runner.win, sheet, nowMs)}</td><td class="c-fair">${priceText(runner.consensus?.price ?? null)}</td>${withPlace && html`<td>${bestOf(runner.place, sheet, nowMs)}</td>`}</tr>`;
}

/** With the book whose response is the newest of those at that price, and its time. */
function bestOf({ best }: PriceLine, { books }: RaceSheet, nowMs: number): Html {
  if (best === null) return html`${UNKNOWN}`;
  const newest = books.filter(({ title }) => best.books.includes(title)).reduce(newer);
  const more = best.books.length - 1;
  const stale = isStaleNow(best, nowMs) && html` ${tag('warn', 'stale')}`;
  return html`<b>${priceText(best.price)}</b> <span class="from">${best.shared ? 'all books' : newest.title}${!best.shared && more > 0 && ` +${more}`}${newest.polledMs !== null && html`, ${clockAt(newest.polledMs)}`}${stale}</span>`;
}

const newer = (one: BookColumn, other: BookColumn): BookColumn =>
  (other.polledMs ?? 0) > (one.polledMs ?? 0) ? other : one;
