// What the field of the search proposes while a visitor types: each leads to a page.
import { raceName, racePath, runnerPath, venuePath } from '../race-parts';
import type { SearchFound } from './model';
import { roleText } from './page';

export interface Suggestion {
  readonly text: string;
  readonly note: string;
  readonly path: string;
}

const MOST = 10;
const OF_EACH = 4;

/** A person leads to the search for that name, which lists the rides. */
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
    ...people.slice(0, OF_EACH).map(({ role, name, rides }) => ({
      text: name,
      note: roleText(role, rides[0]?.race.category),
      path: `/search?q=${encodeURIComponent(name)}`,
    })),
  ];
  return proposed.slice(0, MOST);
}
