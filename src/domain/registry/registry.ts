// What the thoroughbred registry publishes about a meeting, in our form: its calendar, acceptances, scratching sheet
// and track. Nothing here is checked yet; unknown is null (D3).
import type { Day, Instant } from '../race/race';
import type { PrintedFacts } from '../race/race-facts';

/** The registry as a source: of fields (D25), of track conditions (A 2.9), and as a connector's name. */
export const REGISTRY = 'racing_australia';

export const REGISTRY_STATES = ['NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS', 'NT', 'ACT'] as const;
export type RegistryState = (typeof REGISTRY_STATES)[number];

/** A meeting on the calendar. A document without a link is not published yet. */
export interface RegistryListing {
  /** `2026Aug01,NSW,Rosehill Gardens`. */
  readonly key: string;
  readonly day: Day;
  readonly state: RegistryState;
  /** Sponsor's name included. */
  readonly venue: string;
  readonly acceptances: boolean;
  readonly scratchings: boolean;
}

/** The track in the registry's words, one text per fact. */
export interface RegistryTrack {
  readonly trackCondition: string | null;
  readonly rail: string | null;
  readonly weather: string | null;
  readonly penetrometer: string | null;
  readonly trackType: string | null;
}

export interface RegistryRunner {
  readonly number: number;
  readonly name: string;
  readonly emergency: boolean;
  /**
   * Digits; the registry issues a new one for the same horse each day, so it identifies one meeting's entry (A 2.1).
   */
  readonly horseCode: string | null;
  /** Digits; one entry in one race. */
  readonly raceEntryCode: string | null;
  readonly barrier: number | null;
  readonly jockey: string | null;
  readonly jockeyCode: string | null;
  /** Kilograms an apprentice claims. */
  readonly claimKg: number | null;
  readonly trainer: string | null;
  readonly trainerCode: string | null;
  /** Allotted, before any claim. */
  readonly weightKg: number | null;
  /** Oldest to newest; `x` a spell, `0` tenth or worse. */
  readonly last10: string | null;
  readonly rating: number | null;
}

export interface RegistryRace extends PrintedFacts {
  readonly raceNumber: number;
  readonly name: string;
  /** As printed, for example `1:40PM`. */
  readonly startLocal: string | null;
  readonly startTime: Instant | null;
  readonly distanceM: number;
  /** `1st` → whole dollars; null if none is printed. */
  readonly prizes: Readonly<Record<string, number>> | null;
  readonly trackType: string | null;
  readonly fieldLimit: number | null;
  readonly runners: readonly RegistryRunner[];
}

export interface RegistryCard {
  readonly key: string;
  readonly track: RegistryTrack;
  /** How many runners the page states, emergencies included; the rows are checked against it. */
  readonly statedRunners: number | null;
  readonly races: readonly RegistryRace[];
}

export interface RegistrySheet {
  readonly key: string;
  readonly races: readonly {
    readonly raceNumber: number;
    readonly scratched: readonly { readonly number: number; readonly name: string }[];
  }[];
}

/** One row of a state's track conditions. The texts are as printed. */
export interface RegistryCondition extends Omit<RegistryTrack, 'trackType'> {
  readonly day: Day;
  readonly venue: string;
  readonly rainfall: string | null;
  readonly irrigation: string | null;
  readonly updated: string | null;
}

export const runnerRefOf = (horseCode: string | null): string | null => (horseCode === null ? null : `ra:${horseCode}`);
