// What the field of the search proposes while a visitor types: each leads to a page.
import { personPath, raceName, racePath, runnerPath, venuePath } from '../race-parts';
import type { SearchFound } from './model';
import { roleText } from './page';

export interface Suggestion {
  readonly text: string;
  readonly note: string;
  readonly path: string;
}

const MOST = 10;
const OF_EACH = 4;

export function suggestionsOf({ venues, runners, people }: SearchFound): Suggestion[] {
  const proposed: Suggestion[] = [
    ...venues.slice(0, OF_EACH).map(({ name, state, country, venueId }) => ({
      text: name,
      note: ['venue', state ?? country].filter((one) => one !== null).join(', '),
      path: venuePath(venueId),
    })),
    ...runners.map(({ name, race }) => ({
      text: name,
      note: raceName(race),
      path: runnerPath(race, name) ?? racePath(race.raceId),
    })),
    ...people.slice(0, OF_EACH).map((person) => ({
      text: person.name,
      note: roleText(person),
      path: personPath(person.role, person.key),
    })),
  ];
  return proposed.slice(0, MOST);
}
