// The prices of a race, one market at a time: win, place, and what else is reported. A switch of radio buttons that
// needs no script picks the market; a stake is a script's, which reveals it.
import type { RaceSheet } from '../board/model';
import { takesBets } from '../bookmakers/bets';
import { type Html, html } from '../html';
import { beforeJump } from '../race-parts';
import { hasOtherMarkets, otherMarkets } from './other-markets';
import { priceTable } from './price-table';

interface Views {
  readonly nowMs: number;
  readonly level: 1 | 2;
  /** On the board, where neither names nor prices are links. */
  readonly linked: boolean;
}

export function priceViews(race: RaceSheet, { nowMs, level, linked }: Views): Html {
  const more = hasOtherMarkets(race);
  const shown = { race, nowMs, named: !linked };
  const hasBets = !linked && takesBets(race);
  const last = race.jumpedMs !== null && html`<span class="last-of">last prices ${beforeJump(race)}</span>`;
  const title = level === 1 ? html`<h2 class="vh">Prices</h2>` : html`<h3 class="vh">Prices</h3>`;
  return html`<div class="table-bar">${title}<fieldset class="views"><legend class="vh">Market</legend>${view('win', 'Win', true)}${view('place', 'Place')}${more && view('more', 'Tote and multi')}</fieldset>${race.state === 'open' && STAKE}${last}</div>
<div class="priced priced-win">${priceTable({ ...shown, bets: hasBets ? 'win' : null }, 'win')}</div>
<div class="priced priced-place">${priceTable({ ...shown, named: false, bets: hasBets ? 'place' : null }, 'place')}</div>
${more && html`<div class="priced priced-more">${otherMarkets({ ...shown, named: false, bets: null })}</div>`}`;
}

const view = (value: string, text: string, checked = false): Html =>
  html`<input type="radio" id="view-${value}" name="view" value="${value}"${checked && html` checked`}><label for="view-${value}">${text}</label>`;

const STAKE = html`<p class="stake"><label for="stake">Stake $</label><input id="stake" name="stake" inputmode="decimal" autocomplete="off" maxlength="12" size="7" data-drawn><span id="stake-note" role="status" data-drawn></span></p>`;
