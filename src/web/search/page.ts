// The page of a search: a form that works without a script, and what was found.
import { startText } from '../format';
import { type Fragment, type Html, html } from '../html';
import { CODE_NAMES, codeIcon, countryTag, raceName, racePath, runnerName, venuePath } from '../race-parts';
import type { FoundPerson, FoundRunner, FoundVenue, SearchFound } from './model';
import { LONGEST, SHORTEST } from './search';

const RIDES_SHOWN = 12;

export function searchMain(text: string, found: SearchFound, nowMs: number): Html {
  return html`<section class="panel search" aria-labelledby="page-title"><header class="list-head"><h1 id="page-title">Search</h1>
<form action="/search" method="get" role="search"><label for="search-q">Runner, jockey, driver, trainer or venue</label>
<div class="search-row"><input id="search-q" name="q" type="search" value="${text}" maxlength="${LONGEST}" autocomplete="off" autocapitalize="off" spellcheck="false"><button type="submit">Search</button></div>
<p id="search-news" class="vh" role="status"></p></form></header>
${text.trim() !== '' && answer(text, found, nowMs)}
</section>`;
}

function answer(
  text: string,
  { venues, runners, moreRunners, people, morePeople }: SearchFound,
  nowMs: number,
): Fragment {
  if (text.trim().length < SHORTEST) return html`<p class="empty">Write at least ${SHORTEST} letters.</p>`;
  if (venues.length + runners.length + people.length === 0)
    return html`<p class="empty">Nothing begins with “${text}”. Jockeys, drivers and trainers are found by their rides from yesterday to tomorrow.</p>`;
  return [
    group('Venues', venues.map(venueItem)),
    group(
      'Runners',
      runners.map((runner) => runnerItem(runner, nowMs)),
    ),
    moreRunners && html`<p class="found-note">More runners begin with “${text.trim()}”: write more of the name.</p>`,
    group(
      'Jockeys, drivers and trainers',
      people.map((person) => personItem(person, nowMs)),
    ),
    morePeople && html`<p class="found-note">More people have names that begin so: write more of the name.</p>`,
  ];
}

const group = (title: string, items: readonly Html[]): Html | false =>
  items.length > 0 && html`<h2>${title}</h2><ul class="findings">${items}</ul>`;

const venueItem = ({ venueId, name, country, state, categories }: FoundVenue): Html =>
  html`<li><a href="${venuePath(venueId)}">${name}</a>${state !== null && html`<span class="country">${state}</span>`}${countryTag(country)} <span class="found-note">${categories.map((category) => CODE_NAMES[category]).join(', ')}</span></li>`;

const runnerItem = ({ name, race }: FoundRunner, nowMs: number): Html =>
  html`<li>${codeIcon(race.category)}${runnerName(race, name)} <span class="found-note"><a href="${racePath(race.raceId)}">${raceName(race)}</a>, ${startText(race.startMs, nowMs)}</span></li>`;

function personItem({ role, name, rides }: FoundPerson, nowMs: number): Html {
  const more = rides.length - RIDES_SHOWN;
  return html`<li>${name} <span class="found-note">${roleText(role, rides[0]?.race.category)}</span>
<ul class="rides">${rides.slice(0, RIDES_SHOWN).map(({ race, number, runner }) => html`<li><a href="${racePath(race.raceId)}">${raceName(race)}</a>, ${startText(race.startMs, nowMs)}: ${number} ${runner}</li>`)}</ul>${more > 0 && html`<p class="found-note">${more} more</p>`}</li>`;
}

export function roleText(role: FoundPerson['role'], category: FoundRunner['race']['category'] | undefined): string {
  if (role === 'trainer') return 'trainer';
  return category === 'harness' ? 'driver' : 'jockey';
}
