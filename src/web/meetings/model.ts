// What the pages of a day show, as values, and where they come from. Instants are epoch milliseconds of race time.
// Unknown is null, never 0 (D3). No text, no HTML.

import type { CapturedPrices } from '../../domain/market/intelligence/captured';
import type { Category, Day } from '../../domain/race/race';
import type { MeetingRace } from '../board/meeting';
import type { RaceOutcome, RaceSheet } from '../board/model';
import type { VisibleRace } from '../board/source';

export interface MeetingDay {
  readonly day: Day;
  /** By start. */
  readonly races: readonly MeetingRace[];
  /** The days before and after it that have a page; null where there is none. */
  readonly before: Day | null;
  readonly after: Day | null;
}

/** The races of one code at one venue on one day. */
export interface DayMeeting {
  /** Distinguishes it from the others of its day. */
  readonly key: string;
  readonly category: Category;
  readonly country: string | null;
  readonly state: string | null;
  readonly venueId: string;
  readonly venue: string;
  readonly trackCondition: string | null;
  readonly trackChangedMs: number | null;
  readonly weather: string | null;
  /** By number. */
  readonly races: readonly MeetingRace[];
  readonly firstMs: number;
  readonly lastMs: number;
}

/** A race as it is read for the page of its meeting. */
export interface ReadRace {
  readonly race: VisibleRace;
  /** Win prices of the books that may be compared, up to the jump. */
  readonly captured: readonly CapturedPrices[];
  readonly outcome: RaceOutcome | null;
}

/** A race of a meeting to read and to print. */
export interface PrintedRace {
  /** Without deductions of scratched runners, and without the change of the track. */
  readonly sheet: RaceSheet;
  readonly outcome: RaceOutcome | null;
}

/** Of a venue's races of one code with a final result and a closing consensus of the winner. */
export interface VenueRecord {
  readonly category: Category;
  readonly races: number;
  /** Of these, those with one favourite at the close. */
  readonly withFavourite: number;
  readonly favouritesWon: number;
  /** The median closing consensus of winners. */
  readonly medianWinner: number;
  /** Day of the first of these races. */
  readonly since: Day;
}

/** The external data of these pages, with only what customers may see. */
export interface MeetingSource {
  /** By start. */
  races(day: Day): Promise<readonly MeetingRace[]>;
  /** Whole days, newest first: from the next week back through 60 days, or fewer if these have too many races. */
  ofVenue(venueId: string, today: Day): Promise<readonly MeetingRace[]>;
  span(): Promise<{ readonly first: Day | null; readonly last: Day | null }>;
  /** Of the last 60 days, by code. */
  record(venueId: string, today: Day): Promise<readonly VenueRecord[]>;
  /** These races, in this order, in as many statements for one as for all. */
  printed(raceIds: readonly string[], nowMs: number): Promise<readonly ReadRace[]>;
  /** Of these races, those that have a result, by start. */
  outcomes(raceIds: readonly string[]): Promise<readonly RaceOutcome[]>;
}
