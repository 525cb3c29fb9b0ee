// A race of a meeting as a small cell: its number, and its time, its winner or its state. What is still to jump has a
// time; nothing else is announced.
import type { MeetingCell, MeetingRaceState } from '../board/meeting';
import { type Html, html } from '../html';
import { countdown, racePath, startTime } from '../race-parts';

export interface CellOptions {
  readonly nowMs: number;
  /** An instant of the day that is shown: a start on another day has its date. */
  readonly dayMs: number;
  /** The next to jump: it has a countdown. */
  readonly nextId: string | null;
  readonly currentId: string | null;
  /** Of the page of a race. Default: its permanent one. */
  readonly pathOf?: (race: MeetingCell) => string;
}

const WORDS: Readonly<Record<Exclude<MeetingRaceState, 'ahead' | 'resulted'>, string>> = {
  jumped: 'Jumped',
  unresulted: 'No result',
  abandoned: 'Abandoned',
};

export function raceCell(race: MeetingCell, options: CellOptions): Html {
  const { raceId, raceNumber, startMs, stands } = race;
  const isNext = stands === 'ahead' && raceId === options.nextId;
  const isCurrent = raceId === options.currentId;
  return html`<li><a class="cell cell-${stands}${isNext && ' cell-next'}" href="${options.pathOf?.(race) ?? racePath(raceId)}"${isCurrent && html` aria-current="page"`}><span class="no">R${raceNumber}</span> <span class="cell-state">${cellState(race, options)}</span>${isNext && html` ${countdown(startMs, options.nowMs)}`}</a></li>`;
}

function cellState({ stands, category, startMs, winners, isInterim }: MeetingCell, { dayMs }: CellOptions): Html {
  if (stands === 'ahead') return startTime(startMs, dayMs);
  if (stands !== 'resulted') return html`${WORDS[stands]}`;
  if (winners.length === 0) return html`Result`;
  const title = winners.map(({ number, name }) => `${number}${name === null ? '' : ` ${name}`}`).join(', ');
  return html`<span title="1st: ${title}"><span class="vh">won by </span>${winners.map(({ number }) => html`<span class="cloth cloth-${category}-${number}">${number}</span>`)}${isInterim && html`<span class="vh"> interim</span>`}</span>`;
}
