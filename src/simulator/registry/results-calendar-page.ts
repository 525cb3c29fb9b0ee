// The calendar of the meetings that a state has run: a row per meeting of which anything is published, newest first.
// The venue itself is the link.
import type { RegistryState } from '../../domain/registry/registry';
import type { Meeting } from '../world/race';
import type { World } from '../world/world';
import { escaped, frame, row } from './markup';
import { keyOf, pastMeetingsOf, shortDay } from './meetings';
import { publicationOf } from './publication';

export function resultsCalendarPage(world: World, state: RegistryState, nowMs: number): string {
  const out = pastMeetingsOf(world, state, nowMs).filter((meeting) => isOut(meeting, nowMs));
  const rows = out.map((meeting) => meetingRow(meeting, keyOf(meeting, state), 'Professional'));
  const trials = out
    .slice(0, 1)
    .flatMap((meeting) => [
      meetingRow(meeting, `${keyOf(meeting, state)},Trial`, 'Trial'),
      meetingRow(meeting, `${keyOf(meeting, state)},JumpOut`, 'Jump Out'),
    ]);
  const head = row(['Date', 'Venue', 'Stewards Reports'], 'th');
  const table = `<table class="race-fields">\n${[head, ...rows, ...trials].join('\n')}\n</table>`;
  return frame(`${state} Results`, table);
}

const isOut = (meeting: Meeting, nowMs: number): boolean =>
  meeting.races.some((race) => publicationOf(race, nowMs) !== 'none');

function meetingRow({ day, track }: Meeting, key: string, kind: string): string {
  const link = `<a href='/FreeFields/Results.aspx?Key=${encodeURIComponent(key)}'>${escaped(track.display)} - ${kind}</a>`;
  return row([shortDay(day), link, '']);
}
