// The races of a meeting above one of them, with the ways to the race before and after.
import { aetDay } from '../../domain/time/aet';
import { nextToJump, type RaceMeeting } from '../board/meeting';
import { type Html, html } from '../html';
import { dayText } from '../past/words';
import { codeIcon, racePath } from '../race-parts';
import { dayPath, noonOf } from './day-page';
import { raceCell } from './race-cell';

export function meetingStrip({ day, races }: RaceMeeting, currentId: string, nowMs: number): Html {
  const at = races.findIndex(({ raceId }) => raceId === currentId);
  const [before, current, after] = [races[at - 1], races[at]!, races[at + 1]];
  const cells = { nowMs, dayMs: noonOf(day), currentId, nextId: nextToJump(races)?.raceId ?? null };
  return html`<nav class="meeting-strip" aria-label="Races of ${current.venue}">
<p><a href="${dayPath('races', day)}">${codeIcon(current.category)}${current.venue}, ${dayText(day, aetDay(nowMs))}</a><span class="steps">${before && html`<a class="before" rel="prev" href="${racePath(before.raceId)}">R${before.raceNumber}</a>`}${after && html`<a class="after" rel="next" href="${racePath(after.raceId)}">R${after.raceNumber}</a>`}</span></p>
<ol class="cells">${races.map((race) => raceCell(race, cells))}</ol>
</nav>`;
}
