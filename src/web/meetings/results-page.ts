// The results of a day by meeting, some meetings a page: placings, settled prices, margins, times and dividends.
import type { RaceOutcome } from '../board/model';
import { type Html, html } from '../html';
import { outcomeCard } from '../outcomes';
import { counted } from '../past/words';
import { codeIcon } from '../race-parts';
import { type DayOptions, dayHead, dayLinks, dayPath, meetingName } from './day-page';
import { filterLinks, filterQuery, passing } from './filter';
import { meetingsOfRaces } from './grouped';
import type { DayMeeting, MeetingDay } from './model';

const MEETINGS_A_PAGE = 8;

export interface ResultsPage {
  readonly number: number;
  readonly of: number;
  readonly meetings: readonly DayMeeting[];
  /** Races of these meetings with a result. */
  readonly raceIds: readonly string[];
}

/** `wanted`: at least 1; a page past the last is the last. Meetings without a result are left out. */
export function pageOfResults(day: MeetingDay, { nowMs, filter }: DayOptions, wanted: number): ResultsPage {
  const resulted = passing(meetingsOfRaces(day.races, nowMs), filter)
    .map((meeting) => ({ ...meeting, races: meeting.races.filter(({ result }) => result !== null) }))
    .filter(({ races }) => races.length > 0);
  const of = Math.max(1, Math.ceil(resulted.length / MEETINGS_A_PAGE));
  const number = Math.min(wanted, of);
  const meetings = resulted.slice((number - 1) * MEETINGS_A_PAGE, number * MEETINGS_A_PAGE);
  return { number, of, meetings, raceIds: meetings.flatMap(({ races }) => races.map(({ raceId }) => raceId)) };
}

export function resultsMain(
  day: MeetingDay,
  page: ResultsPage,
  outcomes: readonly RaceOutcome[],
  options: DayOptions,
): Html {
  const path = dayPath('results', day.day);
  const known = new Map(outcomes.map((outcome) => [outcome.raceId, outcome]));
  const resulted = day.races.filter(({ result }) => result !== null).length;
  const counts = `${counted(resulted, 'result')} of ${counted(day.races.length, 'race')}`;
  const none = resulted === 0 ? 'No race of this day has a result yet.' : 'No result of this day fits this choice.';
  return html`${dayHead('results', day, options, counts)}
${filterLinks(path, meetingsOfRaces(day.races, options.nowMs), options.filter)}
${page.meetings.length === 0 ? html`<p class="empty">${none}</p>` : page.meetings.map((meeting) => meetingResults(meeting, known))}
${pageLinks(path, page, options)}
${dayLinks('results', day, options)}`;
}

function meetingResults(meeting: DayMeeting, known: ReadonlyMap<string, RaceOutcome>): Html {
  const outcomes = meeting.races.flatMap(({ raceId }) => known.get(raceId) ?? []);
  return html`<section class="panel day-results" aria-labelledby="${meeting.key}"><h2 id="${meeting.key}">${codeIcon(meeting.category)}${meetingName(meeting)}</h2>
<div class="outcome-grid">${outcomes.map((outcome) => outcomeCard(outcome, 3, true))}</div></section>`;
}

function pageLinks(path: string, { number, of }: ResultsPage, { filter }: DayOptions): Html | false {
  const link = (side: string, to: number, text: string): Html =>
    html`<a class="${side}" href="${path}${filterQuery(filter, to)}">${text}</a>`;
  return (
    of > 1 &&
    html`<nav class="days-nav" aria-label="Pages">${number > 1 && link('before', number - 1, 'Meetings before')}<span>Page ${number} of ${of}</span>${number < of && link('after', number + 1, 'More meetings')}</nav>`
  );
}
