// One venue: its meetings from the next week back to the first day read, newest first.
import type { Day } from '../../domain/race/race';
import type { MeetingRace } from '../board/meeting';
import { percentText, priceText } from '../format';
import { type Html, html } from '../html';
import { counted, dayText } from '../past/words';
import { CODE_NAMES, clockAt, codeIcon } from '../race-parts';
import { dayPath, meetingCells, meetingFacts, meetingName, noonOf } from './day-page';
import { meetingsOfRaces } from './grouped';
import type { DayMeeting, VenueRecord } from './model';

interface VenueOptions {
  readonly nowMs: number;
  readonly today: Day;
}

export const venueTitle = (races: readonly MeetingRace[]): string => `${races[0]!.venue}: races and results`;

/** `races`: at least one. */
export function venueMain(races: readonly MeetingRace[], record: readonly VenueRecord[], options: VenueOptions): Html {
  const days = [...new Set(races.map(({ day }) => day))].sort().reverse();
  const [newest] = meetingsOfRaces(races.slice(0, 1), options.nowMs);
  const at = html`as of ${clockAt(options.nowMs)}`;
  return html`<header class="day-head"><h1 id="page-title">${meetingName(newest!, false)}</h1><p>Meetings from ${dayText(days.at(-1)!, options.today)} on, newest first, ${at}</p>${record.map((one) => recordLine(one, options.today))}</header>
<section class="panel meetings" aria-labelledby="page-title">
${days.map((day) => {
  const meetings = meetingsOfRaces(
    races.filter((race) => race.day === day),
    options.nowMs,
  );
  return meetings.map((meeting) => meetingOfDay(meeting, day, options));
})}</section>`;
}

/** Few races say nothing about a share. */
const RACES_FOR_SHARE = 10;

function recordLine(record: VenueRecord, today: Day): Html {
  const { category, races, withFavourite, favouritesWon, medianWinner, since } = record;
  const share = withFavourite >= RACES_FOR_SHARE && ` (${percentText((100 * favouritesWon) / withFavourite, 0)})`;
  const winners = races >= RACES_FOR_SHARE && ` Half of the winners closed at ${priceText(medianWinner)} or less.`;
  return html`<p class="venue-record">${codeIcon(category)}Since ${dayText(since, today)}: the favourite at the close won ${favouritesWon} of ${counted(withFavourite, 'race')}${share}.${winners} By the books’ consensus at the jump, of races with a final result.</p>`;
}

const meetingOfDay = (meeting: DayMeeting, day: Day, { nowMs, today }: VenueOptions): Html =>
  html`<article class="meeting"><header><h2>${codeIcon(meeting.category)}<a href="${dayPath('races', day)}">${dayText(day, today)}</a> <span class="country">${CODE_NAMES[meeting.category]}</span></h2><p class="meeting-facts">${meetingFacts(meeting, noonOf(day), nowMs)}</p></header>
${meetingCells(meeting, day, nowMs)}</article>`;
