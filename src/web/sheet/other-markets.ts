// Beside the fixed win and place prices: what the totes estimate before the jump, which is no price (A 2.4 rule 3), and
// the legs of a same-race multi. Only where a book reports them.
import { MULTI_LEGS, type MultiLeg } from '../board/course/course';
import type { RaceSheet, RunnerRow } from '../board/model';
import { type Html, html } from '../html';
import { raceName } from '../race-parts';
import { bestCell, toteCell } from './best-cells';
import { sortHead } from './column-head';
import { runnerCells, runnerHeads } from './runner-cells';
import type { Shown } from './shown';

export const hasOtherMarkets = ({ runners }: RaceSheet): boolean =>
  runners.some(({ tote, legs }) => tote !== null || MULTI_LEGS.some((leg) => legs[leg] !== null));

const LEG_NAMES: Readonly<Record<MultiLeg, string>> = { top2: 'Top 2', top3: 'Top 3', top4: 'Top 4' };

/** Win and place, the tote, and each leg. */
const COLUMNS = 3 + MULTI_LEGS.length;

export function otherMarkets(shown: Shown): Html {
  const { race } = shown;
  const caption = `Tote estimates and legs of a same-race multi, ${raceName(race)}`;
  return html`<div class="scroller" role="region" aria-label="${caption}" tabindex="0">
<table class="prices of-more" id="more-${race.raceId}">
<caption class="vh">${caption}. Times are Sydney time where no other zone stands.</caption>
<thead><tr>${runnerHeads()}${sortHead('win', 'c-best c-win', 'Win')}${sortHead('place', 'c-best c-place', 'Place')}${sortHead('tote', 'c-best c-tote', html`Tote <span class="est">estimate</span>`, 'The highest estimate of any pool for $1; settle on a final dividend only')}${MULTI_LEGS.map((leg) => sortHead(leg, 'c-best c-leg', LEG_NAMES[leg]))}</tr></thead>
<tbody>${race.runners.map((runner) => row(shown, runner))}</tbody>
</table></div>
<p class="more-note">Tote figures are estimates that move with the pool until it closes. Top 2, 3 and 4 are prices of a leg of a same-race multi.</p>`;
}

function row(shown: Shown, runner: RunnerRow): Html {
  const { win, place, tote, legs, scratching } = runner;
  const lead = runnerCells(shown, runner, COLUMNS);
  const cells = html`${bestCell(win.best, 'c-win', shown)}${bestCell(place.best, 'c-place', shown)}${toteCell(tote, shown)}${MULTI_LEGS.map((leg) => bestCell(legs[leg], 'c-leg', shown))}`;
  return html`<tr id="more-${shown.race.raceId}-${runner.number}"${scratching && html` class="scratched"`}>${lead}${scratching === null && cells}</tr>`;
}
