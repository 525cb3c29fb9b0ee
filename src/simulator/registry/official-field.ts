// The full field of a run race as the stewards record it: who ran and where each finished, who was out and why, the
// official starting prices. Every registry's document is written from it; publication.ts decides when each publishes.
// Pure in (race, instant).
import type { Category } from '../../domain/race/race';
import { pairOf } from '../world/population/animals';
import type { Mishap, Placing, Race, Runner, WorldScratching } from '../world/race';
import { unit } from '../world/random';
import { raceAt } from '../world/story/state';
import { horseCodeOf, raceEntryCodeOf } from './meetings';
import { startingPriceAtBarrier, startingPrices } from './starting-prices';

export interface OfficialRunner {
  readonly number: number;
  readonly name: string;
  /** `reserve`: an emergency (a greyhound reserve) without a start. */
  readonly status: 'ran' | 'scratched' | 'late_scratching' | 'reserve';
  readonly emergency: boolean;
  /** The barrier or box from which it jumped or that it drew; null for an emergency without a start. */
  readonly barrier: number | null;
  /** Null for a runner without one: scratched, or with a mishap. */
  readonly position: number | null;
  /** Whether it shares its position. */
  readonly deadHeat: boolean;
  /**
   * Official starting price. Among the runners that did not run, only one scratched at the barrier may have a price.
   */
  readonly sp: number | null;
  readonly favourite: 'F' | 'EF' | null;
  /** Lengths behind the winner, 0 for the winner; null without a position. */
  readonly marginLengths: number | null;
  /** Seconds from the jump to the line; null without a position. */
  readonly timeS: number | null;
  /** `SB`: scratched at the barrier. */
  readonly abnormal: Mishap | 'SB' | null;
  readonly jockey: string | null;
  readonly claimKg: number | null;
  readonly trainer: string;
  readonly weightKg: number | null;
  /**
   * The thoroughbred registry's code of the horse: a new one each day, the same as in that day's acceptances (A 2.1).
   */
  readonly horseCode: number;
  readonly raceEntryCode: number;
  /** The greyhound registry's id of the dog, the same wherever a dog of that name runs. */
  readonly dogId: number;
  readonly runner: Runner;
}

/** By number; empty until placings are posted, and for a race that did not run. Empty boxes are left out. */
export function officialField(race: Race, atMs: number): readonly OfficialRunner[] {
  const { placings } = raceAt(race, atMs);
  if (placings.length === 0) return [];
  const prices = startingPrices(race);
  return race.runners.flatMap<OfficialRunner>((runner) => {
    if (runner.vacant) return [];
    const out = race.story.scratchings.find((row) => row.number === runner.number);
    const entry = entryOf(race, runner);
    if (out) return [{ ...entry, ...scratched(race, out) }];
    return [{ ...entry, ...prices.get(runner.number)!, ...finished(race, runner, placings) }];
  });
}

/** The values that do not depend on whether the runner ran. */
function entryOf(race: Race, runner: Runner) {
  const { number, name, emergency, jockey, claimKg, trainer, weightKg } = runner;
  const promoted = race.story.promotions.find((row) => row.number === number);
  return {
    number,
    name,
    emergency,
    jockey,
    claimKg,
    trainer,
    weightKg,
    runner,
    barrier: promoted?.barrier ?? runner.barrier,
    horseCode: horseCodeOf(race, runner),
    raceEntryCode: raceEntryCodeOf(race, runner),
    dogId: dogIdOf(name),
  };
}

const FIRST_DOG_ID = 100_000_000;
const DOG_IDS_APART = 8_731;

export const dogIdOf = (name: string): number => FIRST_DOG_ID + pairOf(name) * DOG_IDS_APART;

const DID_NOT_RUN = { position: null, deadHeat: false, favourite: null, marginLengths: null, timeS: null } as const;

/** Only horses have a code for a scratching at the barrier (A 2.11 rule 1). */
function scratched(race: Race, out: WorldScratching) {
  if (out.kind === 'barrier' && race.meeting.track.category === 'horse') {
    const sp = unit(race.seed, 961, out.number) < 0.5 ? startingPriceAtBarrier(race, out) : null;
    return { ...DID_NOT_RUN, status: 'scratched' as const, sp, abnormal: 'SB' as const };
  }
  return { ...DID_NOT_RUN, status: STATUSES[out.kind], sp: null, abnormal: null };
}

const STATUSES = {
  vacant: 'scratched',
  early: 'scratched',
  late: 'late_scratching',
  barrier: 'late_scratching',
  emergency: 'reserve',
} as const;

function finished(race: Race, { number }: Runner, placings: readonly Placing[]) {
  const placing = placings.find((row) => row.number === number);
  const abnormal = race.story.mishaps.find((row) => row.number === number)?.what ?? null;
  const ran = { status: 'ran', abnormal } as const;
  if (!placing) return { ...ran, position: null, deadHeat: false, marginLengths: null, timeS: null };
  return {
    ...ran,
    position: placing.position,
    deadHeat: placings.some((other) => other !== placing && other.position === placing.position),
    marginLengths: placing.margin,
    timeS: timeOf(race, placing),
  };
}

/** The winner finishes before the world counts the whole field as finished. */
const WINNER_OF_ALL: Record<Category, number> = { horse: 0.94, harness: 0.97, greyhound: 0.97 };
const SECONDS_A_LENGTH: Record<Category, number> = { horse: 0.17, harness: 0.18, greyhound: 0.07 };

function timeOf({ story, meeting, seed }: Race, { margin }: Placing): number {
  const { category } = meeting.track;
  const fieldS = (story.finishMs - story.jumpMs) / 1000;
  const winnerS = fieldS * (WINNER_OF_ALL[category] + 0.025 * unit(seed, 960));
  return Math.round((winnerS + margin * SECONDS_A_LENGTH[category]) * 100) / 100;
}
