// What a search finds, as values, and where it comes from. Instants are epoch milliseconds of race time.
import type { Category } from '../../domain/race/race';
import type { RaceTitle } from '../board/race-title';

export interface FoundRunner {
  /** Folded. */
  readonly key: string;
  readonly name: string;
  /** The newest that lists it, run or not. */
  readonly race: RaceTitle;
}

export interface Ride {
  readonly race: RaceTitle;
  readonly number: number;
  readonly runner: string;
}

export interface FoundPerson {
  /** `rider`: a jockey or a driver. */
  readonly role: 'rider' | 'trainer';
  readonly name: string;
  /** Of the races around now, by start. */
  readonly rides: readonly Ride[];
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

interface FoundPeople {
  readonly people: readonly FoundPerson[];
  /** Whether others have such a name too. */
  readonly morePeople: boolean;
}

interface FoundRunners {
  readonly runners: readonly FoundRunner[];
  /** Whether other names begin so too. */
  readonly moreRunners: boolean;
}

export interface SearchFound extends FoundPeople, FoundRunners {
  readonly venues: readonly FoundVenue[];
}

/** The external data of a search, with only what customers may see. */
export interface SearchSource {
  /** Those with a recent race. */
  venues(nowMs: number): Promise<readonly SpelledVenue[]>;
  /** Whose folded name begins with `key`, which is not empty. */
  runners(key: string): Promise<FoundRunners>;
  /** Whose name has, for each word, one that begins with it. */
  people(words: readonly string[], nowMs: number): Promise<FoundPeople>;
}
