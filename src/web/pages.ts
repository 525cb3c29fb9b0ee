// The part of each page that is refreshed (`<main>`).
import type { Board, RaceView } from './board/model';
import { isEveryRace, type RaceFilter } from './board/race-filter';
import { type Html, html } from './html';
import { legend } from './legend';
import { boardFilter } from './meetings/board-filter';
import { meetingStrip } from './meetings/meeting-strip';
import { nextStrip } from './next-strip';
import { jumpedList, noResult, outcomeCard, outcomeList } from './outcomes';
import { raceName } from './race-parts';
import { hasTable, raceSheet } from './sheet/race-sheet';

/** `path`: of the board, for its choices. */
export function boardMain(board: Board, nowMs: number, path: string, filter: RaceFilter): Html {
  const { next, featured } = board;
  const chosen = isEveryRace(filter) ? '' : ' of this choice';
  const sheet = featured && raceSheet(featured, { nowMs, level: 2, linked: true, outcome: null });
  return html`<h1 class="vh">Live racing odds: next to jump, prices and results</h1>
${boardFilter(path, filter)}
${nextStrip(next, featured?.raceId ?? null, nowMs, chosen)}
<div class="cols one">
<div class="col-main">${sheet ?? html`<section class="panel"><p class="empty">No race${chosen} is on the board.</p></section>`}${featured && hasTable(featured) && legend(featured)}</div>
<div class="col-side">${jumpedList(board.jumped, nowMs, chosen)}${outcomeList(board.outcomes, chosen)}</div>
</div>`;
}

export function raceMain(view: RaceView, nowMs: number): Html {
  const jumped = view.sheet.state === 'jumped';
  const outcome = view.outcome ? outcomeCard(view.outcome, 2) : jumped && noResult(view.sheet, nowMs);
  const sheet = raceSheet(view.sheet, { nowMs, level: 1, linked: false, outcome });
  const { raceId } = view.sheet;
  return html`${nextStrip(view.next, raceId, nowMs)}
${view.meeting && meetingStrip(view.meeting, raceId, nowMs)}
<div class="cols one">
<div class="col-main">${sheet}${hasTable(view.sheet) && legend(view.sheet)}</div>
</div>`;
}

export const raceTitle = (view: RaceView): string => `${raceName(view.sheet)}: odds and result`;
