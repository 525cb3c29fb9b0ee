// The types of the simulated world: the fixed facts of a day, a meeting, a race and its story.
// Plain values without behaviour: state.ts has the state at an instant, books/ what a book shows of it.
import type { Day } from '../../domain/race/race';
import type { Track } from './tracks';

/** Track and weather from `fromMs` on. `rating` is null if the code has no rating (harness, dogs, synthetic). */
export interface Conditions {
  readonly fromMs: number;
  readonly going: string;
  readonly rating: number | null;
  readonly weather: 'fine' | 'overcast' | 'showery' | 'raining';
}

export interface Meeting {
  readonly id: string;
  /** Unique among the meetings of all days; used by books with numeric ids. */
  readonly serial: number;
  readonly seed: number;
  readonly day: Day;
  readonly track: Track;
  readonly rail: string;
  /** In time order; the first applies from the beginning. */
  readonly conditions: readonly Conditions[];
  /** When the rest of the meeting was called off, or null. */
  readonly abandonedAtMs: number | null;
  readonly races: readonly Race[];
}

export interface Runner {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  /** Barrier or box as drawn. Null for an emergency until it gets a start. */
  readonly barrier: number | null;
  readonly jockey: string | null;
  /** Kilograms an apprentice claims, or null. */
  readonly claimKg: number | null;
  readonly trainer: string;
  readonly trainerLocation: string;
  readonly weightKg: number | null;
  /** Oldest to newest, `x` is a spell. */
  readonly form: string;
  readonly age: number;
  readonly sex: string;
  readonly coat: string;
  readonly sire: string;
  readonly dam: string;
  readonly prizeMoney: number;
  readonly emergency: boolean;
  /** An empty box that books list as a runner. */
  readonly vacant: boolean;
  /** Log-strength before any drift. */
  readonly strength: number;
  /** The market's drift until the jump: above 0 firms, below 0 drifts. */
  readonly drift: number;
}

export interface WorldScratching {
  readonly number: number;
  readonly atMs: number;
  readonly kind: 'vacant' | 'early' | 'late' | 'barrier' | 'emergency';
  /** Fractions of the dollar, 0 where no bet was affected. */
  readonly winDeduction: number;
  readonly placeDeduction: number;
}

/** An emergency that gets a start at `atMs`, in the barrier of the runner that it replaces. */
export interface Promotion {
  readonly number: number;
  readonly atMs: number;
  readonly barrier: number | null;
}

export interface Placing {
  readonly position: number;
  readonly number: number;
  /** Lengths behind the winner. */
  readonly margin: number;
}

/** Why a runner that jumped has no regular place: `TailedOff` is last and keeps its position, the others have none. */
export type Mishap = 'Fell' | 'PulledUp' | 'Disqualified' | 'TailedOff' | 'StayedInBox';

export interface RunnerMishap {
  readonly number: number;
  readonly what: Mishap;
}

export interface Protest {
  readonly lodgedMs: number;
  readonly decidedMs: number;
  readonly upheld: boolean;
}

/** Everything that happens to a race, with the instant of each event. Events after `abandoned.atMs` never happen. */
export interface Story {
  /** Advertised starts in the order they were announced; the first from the beginning. */
  readonly advertised: readonly { readonly fromMs: number; readonly startMs: number }[];
  readonly scratchings: readonly WorldScratching[];
  readonly promotions: readonly Promotion[];
  readonly abandoned: { readonly atMs: number; readonly note: string } | null;
  /** Betting is suspended before the jump, until `untilMs`. */
  readonly shut: readonly { readonly fromMs: number; readonly untilMs: number }[];
  /** From this instant on the books' prices are frozen, whatever happens in the world; null: never. */
  readonly pricesStandFromMs: number | null;
  readonly jumpMs: number;
  readonly finishMs: number;
  /** Judge's placings are posted. */
  readonly interimMs: number;
  readonly straightDividendsMs: number;
  readonly exoticDividendsMs: number;
  /** The books pay: correct weight. */
  readonly finalMs: number;
  readonly protest: Protest | null;
  /** Two runners share a position. */
  readonly deadHeat: boolean;
  /** As first posted: all runners with a position. */
  readonly crossed: readonly Placing[];
  /** As settled; differs from `crossed` only after an upheld protest or a correction. */
  readonly settled: readonly Placing[];
  /** When the judge corrected the posted placings without a protest; null: never. */
  readonly correctedMs: number | null;
  /** Runners that jumped and had a mishap. */
  readonly mishaps: readonly RunnerMishap[];
  readonly document: RegistryDocument;
}

/** How the registry's document of the race differs from the usual. */
interface RegistryDocument {
  /** How much later than usual it is published. */
  readonly lateByMs: number;
  /** Runners missing from it for `forMs` after publication; null if it is complete. */
  readonly lacking: { readonly numbers: readonly number[]; readonly forMs: number } | null;
}

export interface Race {
  readonly id: string;
  readonly serial: number;
  readonly seed: number;
  readonly meeting: Meeting;
  readonly number: number;
  readonly name: string;
  readonly raceClass: string;
  readonly distanceM: number;
  readonly prizes: readonly number[];
  /** Whether books occasionally get this race wrong (a placeholder, a missing price, an overlooked scratching). */
  readonly mistakes: boolean;
  readonly runners: readonly Runner[];
  readonly story: Story;
}

/** A meeting whose races are yet to be built. */
export interface PlannedMeeting {
  readonly meeting: Meeting & { races: Race[] };
  readonly races: readonly PlannedRace[];
}

export interface PlannedRace {
  /** The animals of its field, as numbers among all. */
  readonly animals: readonly number[];
  build(): Race;
}
