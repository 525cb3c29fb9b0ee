// The source of the search, over the store: names on cards, which every customer may see, and the matches that the
// operations compare.
import { type PersonRole, personKey } from '../../domain/race/person';
import type { Category } from '../../domain/race/race';
import { venueState } from '../../domain/race/venue';
import type { PricedMatch } from '../../domain/sports/match';
import { MARKETS } from '../../domain/sports/sports';
import { addDays, aetDay, aetDayBounds } from '../../domain/time/aet';
import type { DirectoryRow } from '../../store/reads/people/directory';
import type { Reads } from '../../store/reads/reads';
import type { ComingMatch, RidesOfCode, SearchSource, SpelledPerson } from '../../web/search/model';
import { CUSTOMERS } from '../kernel/endpoint/visibility';
import { pricedMatches } from '../operations/arbitrage/compared';
import { USUAL_MAX_AGE_MINUTES } from '../operations/sports/parameters-schema';
import type { SportsBoard } from '../operations/sports/sports-board';
import { titleOfRow } from './shown/visible-race';

const DAYS_BACK = 7;

/** `sports` null: the site has no pages of sports. */
export const createSearchSource = (
  { venues, search, people }: Pick<Reads, 'venues' | 'search' | 'people'>,
  sports: SportsBoard | null,
): SearchSource => ({
  venues: async (nowMs) =>
    (await venues(new Date(nowMs).toISOString())).map((row) => ({
      venueId: row.venue_id,
      name: row.venue_canonical,
      country: row.country,
      state: venueState(row.venue_id),
      categories: row.categories as Category[],
      spellings: row.spellings,
    })),
  runners: async (key, most) => {
    const { names, more } = await search.runners(key, most);
    const runners = names.map((row) => ({ key: row.runner_key, name: row.name, race: titleOfRow(row) }));
    return { runners, moreRunners: more };
  },
  people: async (nowMs) => {
    const today = aetDay(nowMs);
    const from = new Date(aetDayBounds(addDays(today, -DAYS_BACK)).startMs).toISOString();
    const until = new Date(aetDayBounds(addDays(today, 1)).endMs).toISOString();
    return peopleOf(await people.directory({ from, until }));
  },
  matches: async (nowMs) => {
    if (sports === null) return [];
    const query = { sportKey: null, nowMs, audience: CUSTOMERS, maxAgeMinutes: USUAL_MAX_AGE_MINUTES };
    return (await pricedMatches(sports, MARKETS, query)).map(comingOf);
  },
});

const comingOf = ({ books, commenceTime, ...match }: PricedMatch): ComingMatch => ({
  eventId: match.eventId,
  sportKey: match.sportKey,
  competition: match.competition,
  homeTeam: match.homeTeam,
  awayTeam: match.awayTeam,
  homeNames: [...new Set(books.map(({ homeName }) => homeName))],
  awayNames: [...new Set(books.map(({ awayName }) => awayName))],
  startMs: Date.parse(commenceTime),
  books: books.length,
});

interface Gathered {
  readonly role: PersonRole;
  readonly key: string;
  readonly rows: DirectoryRow[];
}

/** One for each role and folded name. */
function peopleOf(rows: readonly DirectoryRow[]): SpelledPerson[] {
  const people = new Map<string, Gathered>();
  for (const row of rows) {
    const key = personKey(row.person);
    if (key === null) continue;
    const person = people.get(`${row.role} ${key}`) ?? { role: row.role, key, rows: [] };
    person.rows.push(row);
    people.set(`${row.role} ${key}`, person);
  }
  return [...people.values()].map(personOf);
}

function personOf({ role, key, rows }: Gathered): SpelledPerson {
  const newest = rows.reduce((last, row) => (Date.parse(row.start_time) > Date.parse(last.start_time) ? row : last));
  return {
    ...{ role, key, name: newest.person, race: titleOfRow(newest) },
    rides: ridesByCode(rows),
    spellings: rows.map(({ person }) => person),
  };
}

function ridesByCode(rows: readonly DirectoryRow[]): RidesOfCode[] {
  const counts = new Map<Category, number>();
  for (const { category, rides } of rows) counts.set(category, (counts.get(category) ?? 0) + rides);
  return [...counts].map(([category, count]) => ({ category, count }));
}
