// The full field of a run race as the stewards hold it: who ran and where each finished, who was out and why, the official starting prices.
// What every registry's document is written from; when each publishes it is publication.ts. Pure in (race, instant).
import type { Mishap, Race, Runner } from '../world/race';

export interface OfficialRunner {
  readonly number: number;
  readonly name: string;
  /** `reserve`: an emergency (a greyhound reserve) that got no start. */
  readonly status: 'ran' | 'scratched' | 'late_scratching' | 'reserve';
  readonly emergency: boolean;
  /** Barrier or box that it jumped from, or was drawn in; null for an emergency that got no start. */
  readonly barrier: number | null;
  /** Null for a runner without one: out, or come to grief. */
  readonly position: number | null;
  /** It shares its position. */
  readonly deadHeat: boolean;
  /** Official starting price. A runner out at the barrier may have one; no other that did not run has. */
  readonly sp: number | null;
  readonly favourite: 'F' | 'EF' | null;
  /** Lengths behind the winner, the winner's 0; null without a position. */
  readonly marginLengths: number | null;
  /** Seconds from the jump to the line; null without a position. */
  readonly timeS: number | null;
  /** `SB`: scratched at the barrier. */
  readonly abnormal: Mishap | 'SB' | null;
  readonly jockey: string | null;
  readonly claimKg: number | null;
  readonly trainer: string;
  readonly weightKg: number | null;
  /** The thoroughbred registry's code of the horse: a new one each day, the same as in that day's acceptances (A 2.1). */
  readonly horseCode: number;
  readonly raceEntryCode: number;
  /** The greyhound registry's id of the dog, the same wherever that name runs. */
  readonly dogId: number;
  readonly runner: Runner;
}

/** By number; empty until placings are posted, and for a race that did not run. */
export function officialField(_race: Race, _atMs: number): readonly OfficialRunner[] {
  return [];
}
