// The source of the search, over the store: names on cards, which every customer may see.
import type { Category } from '../../domain/race/race';
import { venueState } from '../../domain/race/venue';
import type { Reads } from '../../store/reads/reads';
import type { RideRow } from '../../store/reads/search/people';
import type { FoundPerson, Ride, SearchSource } from '../../web/search/model';
import { titleOfRow } from './visible-race';

const HOURS_BACK = 24;
const HOURS_AHEAD = 48;

export const createSearchSource = ({ venues, search }: Pick<Reads, 'venues' | 'search'>): SearchSource => ({
  venues: async (nowMs) =>
    (await venues(new Date(nowMs).toISOString())).map((row) => ({
      venueId: row.venue_id,
      name: row.venue_canonical,
      country: row.country,
      state: venueState(row.venue_id),
      categories: row.categories as Category[],
      spellings: row.spellings,
    })),
  runners: async (key) => {
    const { names, more } = await search.runners(key);
    const runners = names.map((row) => ({ key: row.runner_key, name: row.name, race: titleOfRow(row) }));
    return { runners, moreRunners: more };
  },
  people: async (words, nowMs) => {
    const inHours = (hours: number): string => new Date(nowMs + hours * 3_600_000).toISOString();
    const { rides, more } = await search.rides({ words, from: inHours(-HOURS_BACK), until: inHours(HOURS_AHEAD) });
    return { people: peopleOf(rides), morePeople: more };
  },
});

function peopleOf(rows: readonly RideRow[]): FoundPerson[] {
  const people = new Map<string, FoundPerson & { readonly rides: Ride[] }>();
  for (const row of rows) {
    const { role, person: name, number, runner } = row;
    const key = `${role} ${name}`;
    const person = people.get(key) ?? { role, name, rides: [] };
    person.rides.push({ race: titleOfRow(row), number, runner });
    people.set(key, person);
  }
  return [...people.values()];
}
