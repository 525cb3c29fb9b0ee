// The page of a search: a form that works without a script, and what was found.
import { type Fragment, type Html, html } from '../html';
import { counted } from '../past/words';
import {
  CODE_NAMES,
  codeIcon,
  countryTag,
  personPath,
  raceName,
  racePath,
  runnerName,
  startTime,
  venuePath,
} from '../race-parts';
import { matchesText, matchName, matchPath, sportPath } from '../sports/parts';
import { choicePath } from '../sports/sport-page';
import type { FoundLeague, FoundPerson, FoundRunner, FoundTeam, FoundVenue, SearchFound } from './model';
import { LONGEST, SHORTEST } from './search';

export function searchMain(text: string, found: SearchFound, nowMs: number): Html {
  return html`<section class="panel search" aria-labelledby="page-title"><header class="list-head"><h1 id="page-title">Search</h1>
<form action="/search" method="get" role="search"><label for="search-q">Runner, jockey, driver, trainer, venue, team or competition</label>
<div class="search-row"><input id="search-q" name="q" type="search" value="${text}" maxlength="${LONGEST}" autocomplete="off" autocapitalize="off" spellcheck="false"><button type="submit">Search</button></div>
<p id="search-news" class="vh" role="status"></p></form></header>
${text.trim() !== '' && answer(text, found, nowMs)}
</section>`;
}

function answer(text: string, found: SearchFound, nowMs: number): Fragment {
  const { venues, runners, moreRunners, people, morePeople, teams, moreTeams, leagues } = found;
  if (text.trim().length < SHORTEST) return html`<p class="empty">Write at least ${SHORTEST} letters.</p>`;
  if ([venues, runners, people, teams, leagues].every(({ length }) => length === 0)) return nothing(text, found);
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
    group(
      'Teams and players with a match to come',
      teams.map((team) => teamItem(team, nowMs)),
    ),
    moreTeams && html`<p class="found-note">More teams have names that begin so: write more of the name.</p>`,
    group('Sports and competitions', leagues.map(leagueItem)),
    found.withoutSports && html`<p class="found-note">${WITHOUT_SPORTS}</p>`,
  ];
}

const WITHOUT_SPORTS = 'Teams and competitions cannot be read just now: search for them again in a minute.';

/** What was searched, and names that are near. */
function nothing(text: string, { near, withoutSports }: SearchFound): Html {
  const links = near.map(
    (name, i) => html`${i > 0 && ' or '}<a href="/search?q=${encodeURIComponent(name)}">${name}</a>`,
  );
  return html`<p class="empty">Nothing begins with “${text}” among runners on cards, venues of the last 60 days, jockeys, drivers and trainers of races from a week ago to tomorrow${!withoutSports && ', and teams and competitions of matches to come that have prices'}.${withoutSports && ` ${WITHOUT_SPORTS}`}${near.length > 0 && html` Did you mean ${links}?`}</p>`;
}

const group = (title: string, items: readonly Html[]): Html | false =>
  items.length > 0 && html`<h2>${title}</h2><ul class="findings">${items}</ul>`;

const venueItem = ({ venueId, name, country, state, categories }: FoundVenue): Html =>
  html`<li><a href="${venuePath(venueId)}">${name}</a>${state !== null && html`<span class="country">${state}</span>`}${countryTag(country)} <span class="found-note">${categories.map((category) => CODE_NAMES[category]).join(', ')}</span></li>`;

const runnerItem = ({ name, race }: FoundRunner, nowMs: number): Html =>
  html`<li>${codeIcon(race.category)}${runnerName(race, name)} <span class="found-note"><a href="${racePath(race.raceId)}">${raceName(race)}</a>, ${startTime(race.startMs, nowMs)}</span></li>`;

function personItem(person: FoundPerson, nowMs: number): Html {
  const { role, key, name, rides, race } = person;
  return html`<li><a href="${personPath(role, key)}">${name}</a> <span class="found-note">${roleText(person)}, ${ridesText(role, rides)} from a week ago to tomorrow, last <a href="${racePath(race.raceId)}">${raceName(race)}</a>, ${startTime(race.startMs, nowMs)}</span></li>`;
}

function teamItem({ name, sport, competition, next, matches }: FoundTeam, nowMs: number): Html {
  const more = matches > 1 && html`, ${matches - 1} more to come`;
  return html`<li><a href="${matchPath(next.eventId)}">${name}</a> <span class="found-note">${leagueText(sport, competition)}, next ${matchName(next)}, ${startTime(next.startMs, nowMs)}, ${counted(next.books, 'book')}${more}</span></li>`;
}

/** `NRL Rugby League, NRLW`. */
export const leagueText = (sport: string, competition: string | null): string =>
  competition === null || competition === sport ? sport : `${sport}, ${competition}`;

const leagueItem = (league: FoundLeague): Html =>
  html`<li><a href="${leaguePath(league)}">${league.name}</a> <span class="found-note">${leagueNote(league)}</span></li>`;

export const leaguePath = ({ sportKey, competition }: Pick<FoundLeague, 'sportKey' | 'competition'>): string =>
  choicePath(sportPath(sportKey), { competition, page: 1 });

/** `competition of Soccer, 15 matches to come`. */
export const leagueNote = ({ sport, competition, matches }: FoundLeague): string =>
  `${competition === null ? 'sport' : `competition of ${sport}`}, ${matches === 0 ? 'no match to come with prices' : `${matchesText(matches)} to come`}`;

/** `3 rides`; of several codes `2 rides (Thoroughbred), 1 ride (Harness)`. */
const ridesText = (role: FoundPerson['role'], rides: FoundPerson['rides']): string =>
  rides
    .map(({ category, count }) => {
      const text = counted(count, role === 'rider' ? 'ride' : 'runner');
      return rides.length > 1 ? `${text} (${CODE_NAMES[category]})` : text;
    })
    .join(', ');

export function roleText({ role, rides }: Pick<FoundPerson, 'role' | 'rides'>): string {
  if (role === 'trainer') return 'trainer';
  return rides.every(({ category }) => category === 'harness') ? 'driver' : 'jockey';
}
