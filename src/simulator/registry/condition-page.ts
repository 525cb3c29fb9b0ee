// Track conditions of a state's meetings: rated from the day before, N/A until then. The updated column stays empty,
// because its content is undocumented.

import type { RegistryState } from '../../domain/registry/registry';
import { aetDayBounds } from '../../domain/time/aet';
import type { Meeting } from '../world/race';
import { unit } from '../world/random';
import { conditionsAt } from '../world/story/state';
import type { World } from '../world/world';
import { conditionText, penetrometer, weatherText } from './acceptances-page';
import { escaped, frame, row } from './markup';
import { meetingsOf, shortDay } from './meetings';

const COLUMNS = ['Meeting', 'Track Condition', 'Rail', 'Weather', 'Penetrometer', 'Rainfall', 'Irrigation', 'Updated'];
const DAY_MS = 86_400_000;

export function conditionPage(world: World, state: RegistryState, nowMs: number): string {
  const rows = meetingsOf(world, state, nowMs).map((meeting) => row(cellsOf(meeting, nowMs)));
  return frame(
    'Track Condition',
    `<table class="track-condition">\n${[row(COLUMNS, 'th'), ...rows].join('\n')}\n</table>`,
  );
}

const isRated = (meeting: Meeting, nowMs: number): boolean => nowMs >= aetDayBounds(meeting.day).startMs - DAY_MS;

function cellsOf(meeting: Meeting, nowMs: number): string[] {
  const name = `${shortDay(meeting.day)} ${escaped(meeting.track.display)}`;
  if (!isRated(meeting, nowMs)) return [name, 'N/A', escaped(meeting.rail), 'N/A', '', '', '', ''];
  const conditions = conditionsAt(meeting, nowMs);
  const day = Math.floor(unit(meeting.seed, 72) * 6);
  const week = Math.floor(unit(meeting.seed, 73) * 30);
  const rain = `${day}mm/24hrs, ${day + week}mm/7d`;
  const rating = conditionText(conditions);
  const weather = weatherText(conditions);
  return [name, rating, escaped(meeting.rail), weather, penetrometer(conditions) ?? '', rain, '', ''];
}
