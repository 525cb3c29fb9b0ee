// The races of a meeting above one of them, with the ways to the race before and after.
import { aetDay } from '../../domain/time/aet';
import { type MeetingCell, nextToJump, type RaceMeeting } from '../board/meeting';
import { type Html, html } from '../html';
import { dayText } from '../past/words';
import { codeIcon, racePath } from '../race-parts';
import { dayPath, noonOf } from './day-page';
import { raceCell } from './race-cell';

/** Null if the race is not among them. `pathOf`: of the page of a race. */
export function meetingStrip(
  { day, races }: RaceMeeting,
  currentId: string,
  nowMs: number,
  pathOf = ({ raceId }: MeetingCell): string => racePath(raceId),
): Html | null {
  const at = races.findIndex(({ raceId }) => raceId === currentId);
  const [before, current, after] = [races[at - 1], races[at], races[at + 1]];
  if (current === undefined) return null;
  const cells = { nowMs, dayMs: noonOf(day), currentId, nextId: nextToJump(races)?.raceId ?? null, pathOf };
  return html`<nav class="meeting-strip" aria-label="Races of ${current.venue}">
<p><a href="${dayPath('races', day)}">${codeIcon(current.category)}${current.venue}, ${dayText(day, aetDay(nowMs))}</a><span class="steps">${before && html`<a class="before" rel="prev" href="${pathOf(before)}">R${before.raceNumber}</a>`}${after && html`<a class="after" rel="next" href="${pathOf(after)}">R${after.raceNumber}</a>`}</span></p>
<ol class="cells">${races.map((race) => raceCell(race, cells))}</ol>
</nav>`;
}
