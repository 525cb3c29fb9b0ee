// The races of a day by meeting, and what the pages of a day share: its head, its filter and the ways to other days.
import type { Day } from '../../domain/race/race';
import { addDays, aetDay, aetDayBounds } from '../../domain/time/aet';
import { meetingCell, nextToJump } from '../board/meeting';
import { type Fragment, type Html, html } from '../html';
import { counted, dayText } from '../past/words';
import {
  CODE_NAMES,
  clockAt,
  codeIcon,
  countdown,
  countryTag,
  raceLabel,
  racePath,
  startTime,
  venuePath,
} from '../race-parts';
import { trackText, weatherText } from '../weather';
import { filterLinks, filterQuery, type MeetingFilter, passing } from './filter';
import { meetingsOfRaces } from './grouped';
import type { DayMeeting, MeetingDay } from './model';
import { raceCell } from './race-cell';

export interface DayOptions {
  readonly nowMs: number;
  readonly today: Day;
  readonly filter: MeetingFilter;
}

export type DayKind = 'races' | 'results';

export const dayPath = (kind: DayKind, day: Day): string => `/${kind}/${day}`;

/** `key`: of the meeting. */
export const meetingPath = (day: Day, { key }: Pick<DayMeeting, 'key'>): string =>
  `/meeting/${day}/${encodeURIComponent(key)}`;

/** A day that may still change: results can come on the morning after. Older ones have no pages of meetings. */
export const hasMeetingPages = (day: Day, today: Day): boolean => day >= addDays(today, -1);

const NOON_MS = 12 * 3_600_000;
export const noonOf = (day: Day): number => aetDayBounds(day).startMs + NOON_MS;

export function racesMain(day: MeetingDay, options: DayOptions): Html {
  const all = meetingsOfRaces(day.races, options.nowMs);
  const meetings = passing(all, options.filter);
  const races = meetings.flatMap((meeting) => meeting.races);
  const next = nextToJump(races.map((race) => meetingCell(race, options.nowMs)));
  const first =
    next &&
    html`<p class="day-next">Next to jump: <a href="${racePath(next.raceId)}">${raceLabel(next)}</a> in ${countdown(next.startMs, options.nowMs)}</p>`;
  const none = all.length === 0 ? 'No race of this day is listed.' : 'No meeting of this day fits this choice.';
  return html`${dayHead('races', day, options, `${counted(meetings.length, 'meeting')}, ${counted(races.length, 'race')}`)}
${filterLinks(dayPath('races', day.day), all, options.filter)}
${first}
${meetings.length === 0 ? html`<p class="empty">${none}</p>` : meetingList(meetings, day.day, options.nowMs)}
${dayLinks('races', day, options)}`;
}

export function dayHead(
  kind: DayKind,
  { day }: MeetingDay,
  { nowMs, today, filter }: DayOptions,
  counts: string,
): Html {
  const other: DayKind = kind === 'races' ? 'results' : 'races';
  const hasOther = other === 'races' || day <= today;
  const way =
    hasOther &&
    html` · <a href="${dayPath(other, day)}${filterQuery(filter)}">${other === 'races' ? 'Races' : 'Results'} of this day</a>`;
  return html`<header class="day-head" data-freshness="page"><h1 id="page-title">${kind === 'races' ? 'Races' : 'Results'} of ${dayText(day, today)}</h1>
<p>${counts}${way} · as of ${clockAt(nowMs)}</p></header>`;
}

export function dayLinks(kind: DayKind, { before, after }: MeetingDay, { today, filter }: DayOptions): Html {
  const link = (side: 'before' | 'after', day: Day): Html =>
    html`<a class="${side}" rel="${side === 'before' ? 'prev' : 'next'}" href="${dayPath(kind, day)}${filterQuery(filter)}">${dayText(day, today)}</a>`;
  const last = kind === 'races' || (after !== null && after <= today) ? after : null;
  return html`<nav class="days-nav" aria-label="Other days">${before !== null && link('before', before)}${last !== null && link('after', last)}</nav>`;
}

function meetingList(meetings: readonly DayMeeting[], day: Day, nowMs: number): Html {
  const codes = [...new Set(meetings.map(({ category }) => category))];
  return html`${codes.map(
    (
      code,
    ) => html`<section class="panel meetings" aria-labelledby="code-${code}"><h2 id="code-${code}">${codeIcon(code)}<span aria-hidden="true">${CODE_NAMES[code]}</span></h2>
${meetings.filter(({ category }) => category === code).map((meeting) => meetingRow(meeting, day, nowMs))}</section>`,
  )}`;
}

const meetingRow = (meeting: DayMeeting, day: Day, nowMs: number): Html =>
  html`<article class="meeting"><header><h3>${meetingName(meeting)}</h3><p class="meeting-facts">${meetingFacts(meeting, noonOf(day), nowMs)}</p></header>
${meetingCells(meeting, day, nowMs)}
${hasMeetingPages(day, aetDay(nowMs)) && html`<p class="to-print"><a href="${meetingPath(day, meeting)}">Runners, to print</a></p>`}</article>`;

export function meetingCells({ races }: DayMeeting, day: Day, nowMs: number): Html {
  const cells = races.map((race) => meetingCell(race, nowMs));
  const options = { nowMs, dayMs: noonOf(day), currentId: null, nextId: nextToJump(cells)?.raceId ?? null };
  return html`<ol class="cells">${cells.map((cell) => raceCell(cell, options))}</ol>`;
}

/** `linked`: to the page of the venue. */
export const meetingName = ({ venue, venueId, country, state }: DayMeeting, linked = true): Html =>
  html`${linked ? html`<a href="${venuePath(venueId)}">${venue}</a>` : venue}${state !== null && html`<span class="country"><span class="vh">State </span>${state}</span>`}${countryTag(country)}`;

export function meetingFacts(meeting: DayMeeting, dayMs: number, nowMs: number): Html {
  const { firstMs, lastMs, weather, trackCondition, trackChangedMs } = meeting;
  const changed =
    trackCondition !== null && trackChangedMs !== null && html` since ${startTime(trackChangedMs, nowMs)}`;
  const facts: Fragment[] = [
    html`${startTime(firstMs, dayMs)}${lastMs > firstMs && html` to ${startTime(lastMs, dayMs)}`}`,
    html`Track ${trackText(trackCondition)}${changed}`,
    weatherText(weather),
  ];
  return html`${facts.filter((fact) => fact !== null).map((fact) => html`<span>${fact}</span> `)}`;
}
