// What the page of a jockey, driver or trainer shows, as values, and where it comes from. Instants are epoch
// milliseconds of race time. Unknown is null, never 0 (D3). No text, no HTML.
import type { RunStats } from '../../domain/form/run-stats';
import type { StoredRun } from '../../domain/form/stored-run';
import type { BoardFacts } from '../../domain/race/board-state';
import type { PersonRole } from '../../domain/race/person';
import type { Day } from '../../domain/race/race';
import type { PremiershipScope, PremiershipState } from '../../domain/registry/premiership';
import type { BestNow } from '../board/course/best-now';
import type { RaceTitle } from '../board/race-title';
import type { VisibleRace } from '../board/source';

/** Everyone under a folded name, or the thoroughbred registry's person of a code. */
export type PersonAddress = { readonly key: string } | { readonly code: string };

export interface RideOfPerson {
  readonly race: RaceTitle;
  readonly facts: BoardFacts;
  readonly number: number;
  readonly runner: string;
  readonly scratched: boolean;
  /** As the card prints it. */
  readonly printed: string;
  /** The registry's code of the person; null where it attributes the ride to none. */
  readonly code: string | null;
  readonly resultStatus: 'interim' | 'final' | 'abandoned' | null;
  /** Null before a result, and where the result does not have it. */
  readonly position: number | null;
  /** The consensus at `PRICE_MARKS`; empty while the race is not archived. */
  readonly prices: readonly (number | null)[];
}

export interface RunOfPerson
  extends Pick<StoredRun, 'race_id' | 'meeting_date' | 'venue' | 'race_number' | 'category' | 'name' | 'number'>,
    Pick<StoredRun, 'distance_m' | 'track_condition' | 'status' | 'position' | 'field_size' | 'abnormal' | 'sp'> {
  readonly code: string | null;
  readonly printed: string;
  readonly prices: readonly (number | null)[];
}

/** Whom the registry attributes runs of one code of racing to. */
export interface AttributedRuns extends Pick<RunOfPerson, 'category' | 'code' | 'printed'> {
  /** Whether one of these runs is a start. */
  readonly started: boolean;
}

/** A row of the registry's premierships (B 2.8). */
export interface PremiershipPlace {
  readonly name: string;
  readonly code: string | null;
  readonly state: PremiershipState;
  readonly scope: PremiershipScope;
  readonly rank: number;
  readonly firsts: number | null;
  readonly starts: number | null;
  /** Wins per hundred starts, as published. */
  readonly strikeRate: number | null;
  /** The days that the row covers. */
  readonly from: Day | null;
  readonly to: Day | null;
}

export interface StoredPerson {
  /** From the beginning of the last days to the end of the next ones, latest start first. */
  readonly rides: readonly RideOfPerson[];
  /** The races of these rides that are on the board, with prices. */
  readonly onBoard: readonly VisibleRace[];
  /** Of any other day, latest start first; read only where there is neither a ride nor a run. */
  readonly earlier: readonly RideOfPerson[];
  /** Before these days, or of a race whose card is not stored; newest first. */
  readonly runs: readonly RunOfPerson[];
  /** Of the runs of `record`, and of all that are not shown. */
  readonly attributed: readonly AttributedRuns[];
  /** Over the latest stored runs, of which the oldest was on `since`; null without a start. */
  readonly record: (RunStats & { readonly since: Day }) | null;
}

/** The external data of these pages, with only what customers may see. */
export interface PersonSource {
  /** Null: the registry has no person of this code. */
  person(role: PersonRole, address: PersonAddress, nowMs: number): Promise<StoredPerson | null>;
  /** Of the season that `nowMs` is in. */
  standings(role: PersonRole, nowMs: number): Promise<readonly PremiershipPlace[]>;
}

export interface ComingRide extends RideOfPerson {
  /** Null: no book quotes it, or its race is not on the board. */
  readonly best: BestNow | null;
}

/** A person that the registry has under the name. */
export interface KnownPerson {
  readonly code: string;
  readonly name: string;
}

export interface PersonView {
  readonly role: PersonRole;
  readonly address: PersonAddress;
  /** As the newest card or run prints it. */
  readonly name: string;
  /** The registry's people among these rides, runs and standings. */
  readonly known: readonly KnownPerson[];
  /** Still to jump, and abandoned before their start; first start first. */
  readonly coming: readonly ComingRide[];
  /** The others, latest first. */
  readonly done: readonly RideOfPerson[];
  /** Of cards of long ago, latest first; without any other ride or run. */
  readonly earlier: readonly RideOfPerson[];
  readonly runs: readonly RunOfPerson[];
  /** Null without a start, and where it would add up several people. */
  readonly record: StoredPerson['record'];
  readonly standings: readonly PremiershipPlace[];
}
