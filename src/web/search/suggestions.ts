// What the field of the search proposes while a visitor types: each leads to a page.
import { personPath, raceName, racePath, runnerPath, venuePath } from '../race-parts';
import { matchName, matchPath } from '../sports/parts';
import type { SearchFound } from './model';
import { leagueNote, leaguePath, leagueText, roleText } from './page';

export interface Suggestion {
  readonly text: string;
  readonly note: string;
  readonly path: string;
}

const MOST = 10;

export const suggestionsOf = ({ venues, runners, people, teams, leagues }: SearchFound): Suggestion[] =>
  shared([
    venues.map(({ name, state, country, venueId }) => ({
      text: name,
      note: ['venue', state ?? country].filter((one) => one !== null).join(', '),
      path: venuePath(venueId),
    })),
    runners.map(({ name, race }) => ({
      text: name,
      note: raceName(race),
      path: runnerPath(race, name) ?? racePath(race.raceId),
    })),
    people.map((person) => ({
      text: person.name,
      note: roleText(person),
      path: personPath(person.role, person.key),
    })),
    teams.map(({ name, sport, competition, next }) => ({
      text: name,
      note: `${leagueText(sport, competition)}, ${matchName(next)}`,
      path: matchPath(next.eventId),
    })),
    leagues.map((league) => ({ text: league.name, note: leagueNote(league), path: leaguePath(league) })),
  ]);

/** The first of each kind, then the second, up to the most; by kind. */
function shared(kinds: readonly (readonly Suggestion[])[]): Suggestion[] {
  const longest = Math.max(...kinds.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, at) => kinds.flatMap((kind) => kind[at] ?? [])).flat();
  const proposed = new Set(turns.slice(0, MOST));
  return kinds.flat().filter((one) => proposed.has(one));
}
