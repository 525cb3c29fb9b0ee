// The runners whose price has moved most in the hour before their race, by code and direction.
import { boardState } from '../../domain/race/board-state';
import { CATEGORIES, type Category } from '../../domain/race/race';
import { priceText, signedPercentText } from '../format';
import { type Html, html } from '../html';
import { CODE_NAMES, clockAt, countdown, countryTag, raceLabel, racePath, runnerName } from '../race-parts';
import type { MoverRow, ReadMovers } from './movers';

const DIRECTIONS = ['firming', 'drifting'] as const;
const DIRECTION_NAMES = { firming: 'Firming', drifting: 'Drifting' } as const;

export interface MoverFilter {
  readonly code: Category | null;
  readonly direction: MoverRow['direction'] | null;
}

export const moverFilter = (query: Readonly<Record<string, unknown>>): MoverFilter => ({
  code: CATEGORIES.find((one) => one === query.code) ?? null,
  direction: DIRECTIONS.find((one) => one === query.direction) ?? null,
});

/** In one order: equal choices have one address. */
export function moversPath(filter: MoverFilter, path = '/movers'): string {
  const chosen = Object.entries(filter).flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  return chosen.length === 0 ? path : `${path}?${chosen.join('&')}`;
}

/** A race that is no longer to jump at `nowMs` is left out. */
export function moversMain({ atMs, current, movers }: ReadMovers, filter: MoverFilter, nowMs: number): Html {
  const shown = movers.filter(
    ({ race, direction, facts }) =>
      (filter.code === null || race.category === filter.code) &&
      (filter.direction === null || direction === filter.direction) &&
      boardState(facts, nowMs) === 'ahead',
  );
  return html`<header class="day-head" data-freshness="page"><h1 id="page-title">Movers</h1>
<p>Runners still to jump whose average win price has moved by a tenth or more since an hour before their race, at three books or more · as of ${clockAt(atMs)}</p></header>
<nav class="filters" aria-label="Movers to show">${directionLinks(filter)}${codeLinks(filter)}</nav>
<section class="panel" aria-labelledby="page-title">${shown.length === 0 ? html`<p class="empty">${current ? 'No price has moved so far.' : 'Prices are not current, so no move is known.'}</p>` : html`<ol class="movers">${shown.map((mover) => moverItem(mover, nowMs))}</ol>`}</section>`;
}

const choice = (filter: MoverFilter, to: Partial<MoverFilter>, text: string): Html => {
  const path = moversPath({ ...filter, ...to });
  return html`<li><a href="${path}"${path === moversPath(filter) && html` aria-current="true"`}>${text}</a></li>`;
};

const directionLinks = (filter: MoverFilter): Html =>
  html`<ul aria-label="Direction">${choice(filter, { direction: null }, 'Both ways')}${DIRECTIONS.map((direction) => choice(filter, { direction }, DIRECTION_NAMES[direction]))}</ul>`;

const codeLinks = (filter: MoverFilter): Html =>
  html`<ul aria-label="Code">${choice(filter, { code: null }, 'All codes')}${CATEGORIES.map((code) => choice(filter, { code }, CODE_NAMES[code]))}</ul>`;

function moverItem(mover: MoverRow, nowMs: number): Html {
  const { race, number, runner, open, current, movePct, direction, firming, drifting, counted } = mover;
  return html`<li><span class="m-move m-${direction}">${signedPercentText(movePct)} <span class="m-word">${direction}</span></span>
<span class="m-who"><span class="cloth cloth-${race.category}-${number}">${number}</span> ${runnerName(race, runner)}</span>
<span class="m-prices"><span class="vh">average price from </span>${priceText(open)} <span aria-hidden="true">→</span><span class="vh">to</span> <b>${priceText(current)}</b></span>
<span class="m-race"><a href="${racePath(race.raceId)}">${raceLabel(race)}</a>${countryTag(race.country)} ${countdown(race.startMs, nowMs)}</span>
<span class="m-books">${firming} firming, ${drifting} drifting of ${counted} books</span></li>`;
}
