// A thoroughbred's form as the registry publishes it on one page (B 2.5). Figures stand as printed: the career is the
// registry's own summary, not added up from the runs.
import type { Day } from '../race/race';

export interface HorseForm {
  readonly name: string;
  /** The registry's code that the page was read under. */
  readonly runnerCode: string;
  readonly profile: HorseProfile;
  /** Null if the page prints none. */
  readonly career: HorseCareer | null;
  /** Newest first. */
  readonly runs: readonly FormRun[];
}

export interface HorseProfile {
  readonly ageSex: string | null;
  /** The racing colours. */
  readonly colours: string | null;
  readonly dam: string | null;
  readonly dob: Day | null;
  readonly lastGearChange: string | null;
  readonly sire: string | null;
  readonly trainer: string | null;
  readonly trainerLocation: string | null;
}

export interface PlacingRecord {
  readonly starts: number;
  readonly wins: number;
  readonly seconds: number;
  readonly thirds: number;
}

export interface HorseCareer extends PlacingRecord {
  /** Dollars. */
  readonly prizemoney: number | null;
  readonly splits: Readonly<Partial<Record<CareerSplit, PlacingRecord>>>;
}

export const CAREER_SPLITS = [
  'first_up',
  'second_up',
  'track',
  'distance',
  'track_distance',
  'firm',
  'good',
  'soft',
  'heavy',
  'synthetic',
] as const;
type CareerSplit = (typeof CAREER_SPLITS)[number];

export interface FormRun {
  readonly date: Day;
  /** The registry's compressed code, `FLEM`. */
  readonly track: string;
  /** Null: the page prints none. */
  readonly raceNumber: number | null;
  readonly trial: boolean;
  /** Null for a runner without a place; `resultRaw` has the reason. */
  readonly position: number | null;
  readonly fieldSize: number | null;
  readonly distanceM: number | null;
  readonly going: string | null;
  readonly goingRating: number | null;
  readonly jockey: string | null;
  readonly jockeyCode: string | null;
  readonly meetCode: string | null;
  readonly weightKg: number | null;
  readonly barrier: number | null;
  /** The last of `prices`. */
  readonly sp: number | null;
  /** Oldest first. */
  readonly prices: readonly number[];
  /** Lengths behind the winner; on a win the winning margin. */
  readonly marginLengths: number | null;
  /** Positions in running. */
  readonly inRunning: readonly { readonly atM: number; readonly position: number }[];
  readonly placegetters: readonly Placegetter[];
  readonly prizeTotal: number | null;
  readonly prizeWon: number | null;
  readonly raceClass: string | null;
  /** The first cell as printed, `7th of 11`. */
  readonly resultRaw: string;
  readonly sectionalDistanceM: number | null;
  readonly sectionalTimeS: number | null;
  /** The race's. */
  readonly timeS: number | null;
}

export interface Placegetter {
  readonly name: string;
  readonly position: number;
  readonly code: string | null;
  readonly weightKg: number | null;
}
