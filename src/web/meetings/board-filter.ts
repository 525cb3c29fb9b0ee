// The choice of races on the board, as plain links that open without a script; every choice has one address.

import { CATEGORIES } from '../../domain/race/race';
import { VENUE_COUNTRIES, VENUE_STATES } from '../../domain/race/venue';
import { EVERY_RACE, isEveryRace, type RaceFilter } from '../board/race-filter';
import { type Html, html } from '../html';
import { type PlainPage, plainPage } from '../plain/plain-pages';
import { CODE_NAMES } from '../race-parts';
import { filterQuery } from './filter';

/** Those whose races are most of the board; any other country of the list has its address too. */
const COUNTRIES = ['AU', 'NZ'];

const CHOICES = 'choices';

/** A code or a place alone: the other may follow, so that its link leaves the choices open. */
const isHalf = ({ code, country, state }: RaceFilter): boolean =>
  (code === null) !== (country === null && state === null);

/** `path`: of the board. The search is for a window without a row of places in its header. */
export function boardFilter(path: string, filter: RaceFilter): Html {
  const link = (to: RaceFilter, text: string): Html =>
    html`<li><a href="${path}${filterQuery(to)}${isHalf(to) && `#${CHOICES}`}"${filterQuery(to) === filterQuery(filter) && html` aria-current="true"`}>${text}</a></li>`;
  const countries = filter.country === null ? COUNTRIES : [...new Set([...COUNTRIES, filter.country])];
  return html`<div class="board-ways"><details class="board-filter"><summary>Show: ${filterText(filter)}</summary><nav class="filters" id="${CHOICES}" aria-label="Races to show">
<ul aria-label="Code">${link({ ...filter, code: null }, 'All codes')}${CATEGORIES.map((code) => link({ ...filter, code }, CODE_NAMES[code]))}</ul>
<ul aria-label="Country">${link({ ...filter, country: null, state: null }, 'All countries')}${countries.map((country) => link({ ...filter, country, state: null }, country))}</ul>
<ul aria-label="State">${VENUE_STATES.map((state) => link({ ...filter, country: null, state }, state))}</ul>
</nav></details><a class="to-search" href="/search">Search</a></div>`;
}

/** `all races`; `Thoroughbred, VIC`. */
export function filterText(filter: RaceFilter): string {
  if (isEveryRace(filter)) return 'all races';
  const { code, country, state } = filter;
  return [code && CODE_NAMES[code], country, state].filter(Boolean).join(', ');
}

export const noSuchChoice = (path: string): PlainPage =>
  plainPage(
    'No such choice of races',
    html`<p>The address has a code, a country or a state that the board does not know. Codes are ${CATEGORIES.join(', ')}; states are ${VENUE_STATES.join(', ')}; countries are ${VENUE_COUNTRIES.join(', ')}, and a state goes with no other country than AU.</p>
<p><a href="${path}${filterQuery(EVERY_RACE)}">All races</a></p>`,
  );
