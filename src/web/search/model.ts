// What a search finds, as values, and where it comes from. Instants are epoch milliseconds of race time.
import type { PersonRole } from '../../domain/race/person';
import type { Category } from '../../domain/race/race';
import type { RaceTitle } from '../board/race-title';

export interface FoundRunner {
  /** Folded. */
  readonly key: string;
  readonly name: string;
  /** The newest that lists it, run or not. */
  readonly race: RaceTitle;
}

export interface RidesOfCode {
  readonly category: Category;
  readonly count: number;
}

export interface FoundPerson {
  readonly role: PersonRole;
  /** Folded: the address of the page. */
  readonly key: string;
  /** As the race below prints it. */
  readonly name: string;
  /** In the days of the search, by code of racing: people of several codes may only share the name. */
  readonly rides: readonly RidesOfCode[];
  /** The one of these that starts last. */
  readonly race: RaceTitle;
}

export interface FoundVenue {
  readonly venueId: string;
  readonly name: string;
  readonly country: string | null;
  readonly state: string | null;
  readonly categories: readonly Category[];
}

/** A venue with every spelling of it. */
export interface SpelledVenue extends FoundVenue {
  readonly spellings: readonly string[];
}

/** A person with every spelling of the name. */
export interface SpelledPerson extends FoundPerson {
  readonly spellings: readonly string[];
}

/** Which has not started when it is read. The names are those of its books, which customers may see. */
export interface ComingMatch {
  readonly eventId: string;
  readonly sportKey: string;
  readonly competition: string | null;
  readonly homeTeam: string;
  readonly awayTeam: string;
  readonly homeNames: readonly string[];
  readonly awayNames: readonly string[];
  readonly startMs: number;
  readonly books: number;
}

interface OfSport {
  readonly name: string;
  readonly sportKey: string;
  /** The title of the sport. */
  readonly sport: string;
  readonly competition: string | null;
}

export interface FoundTeam extends OfSport {
  readonly next: ComingMatch;
  /** How many are to come. */
  readonly matches: number;
}

/** A competition, or a sport if that is null. */
export interface FoundLeague extends OfSport {
  readonly matches: number;
}

export interface SpelledTeam extends OfSport {
  readonly spellings: readonly string[];
  /** By start; one at least. */
  readonly matches: readonly ComingMatch[];
}

export type SpelledLeague = SpelledTeam;

interface FoundRunners {
  readonly runners: readonly FoundRunner[];
  /** Whether other names begin so too. */
  readonly moreRunners: boolean;
}

export interface SearchFound extends FoundRunners {
  readonly venues: readonly FoundVenue[];
  readonly people: readonly FoundPerson[];
  readonly teams: readonly FoundTeam[];
  /** Whether others begin so too. */
  readonly moreTeams: boolean;
  readonly leagues: readonly FoundLeague[];
  /** Teams and competitions could not be read. */
  readonly withoutSports: boolean;
  /** Whether others have such a name too. */
  readonly morePeople: boolean;
  /** If nothing was found: names that differ by few letters. */
  readonly near: readonly string[];
}

/** The external data of a search, with only what customers may see. */
export interface SearchSource {
  /** Those with a recent race. */
  venues(nowMs: number): Promise<readonly SpelledVenue[]>;
  /** The first `most` whose folded name begins with `key`, which is not empty. */
  runners(key: string, most: number): Promise<FoundRunners>;
  /** Of the races from a week ago to tomorrow. */
  people(nowMs: number): Promise<readonly SpelledPerson[]>;
  /** Which have not started, by start. */
  matches(nowMs: number): Promise<readonly ComingMatch[]>;
}
