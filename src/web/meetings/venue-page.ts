// One venue: its meetings from the next week back to the first day read, newest first.
import type { Day } from '../../domain/race/race';
import type { MeetingRace } from '../board/meeting';
import { type Html, html } from '../html';
import { dayText } from '../past/words';
import { CODE_NAMES, clockAt, codeIcon } from '../race-parts';
import { dayPath, meetingCells, meetingFacts, meetingName, noonOf } from './day-page';
import { meetingsOfRaces } from './grouped';
import type { DayMeeting } from './model';

interface VenueOptions {
  readonly nowMs: number;
  readonly today: Day;
}

export const venueTitle = (races: readonly MeetingRace[]): string => `${races[0]!.venue}: races and results`;

/** `races`: at least one. */
export function venueMain(races: readonly MeetingRace[], options: VenueOptions): Html {
  const days = [...new Set(races.map(({ day }) => day))].sort().reverse();
  const [newest] = meetingsOfRaces(races.slice(0, 1), options.nowMs);
  const at = html`as of ${clockAt(options.nowMs)}`;
  return html`<header class="day-head"><h1 id="page-title">${meetingName(newest!, false)}</h1><p>Meetings from ${dayText(days.at(-1)!, options.today)} on, newest first, ${at}</p></header>
<section class="panel meetings" aria-labelledby="page-title">
${days.map((day) => {
  const meetings = meetingsOfRaces(
    races.filter((race) => race.day === day),
    options.nowMs,
  );
  return meetings.map((meeting) => meetingOfDay(meeting, day, options));
})}</section>`;
}

const meetingOfDay = (meeting: DayMeeting, day: Day, { nowMs, today }: VenueOptions): Html =>
  html`<article class="meeting"><header><h2>${codeIcon(meeting.category)}<a href="${dayPath('races', day)}">${dayText(day, today)}</a> <span class="country">${CODE_NAMES[meeting.category]}</span></h2><p class="meeting-facts">${meetingFacts(meeting, noonOf(day), nowMs)}</p></header>
${meetingCells(meeting, day, nowMs)}</article>`;
