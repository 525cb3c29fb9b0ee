// The board's external data: races and results in plain values, with only what customers may see. The implementation
// decides visibility; the board shows everything that it receives.
import type { PolledBook } from '../../domain/market/consensus';
import type { CapturedPrices } from '../../domain/market/intelligence/captured';
import type { BestLine } from '../../domain/prices/best-price';
import type { RunnerDetails } from '../../domain/race/feed-race';
import type { MultiLeg } from './course/course';
import type { MeetingRace } from './meeting';
import type { JumpedRace, RaceDetails, RaceOutcome } from './model';
import type { RaceFilter } from './race-filter';

/** One book's last quotes on a race. */
export interface VisibleBook extends PolledBook {
  /** Its page of the race. */
  readonly sourceUrl: string | null;
  /** Aligned to `numbers`, as `win`. */
  readonly place: readonly (number | null)[];
  readonly top2: readonly (number | null)[];
  readonly top3: readonly (number | null)[];
  readonly top4: readonly (number | null)[];
  /** Past its refresh tier's threshold (A 2.4 rule 4). */
  readonly stale: boolean;
  /** When it becomes so, unless the book is read again. */
  readonly staleFromMs: number;
}

export interface VisibleRunner extends RunnerDetails {
  readonly number: number;
  readonly name: string;
  readonly emergency: boolean | null;
  readonly scratched: boolean;
  readonly scratchedMs: number | null;
  readonly late: boolean | null;
  /** Without a best price for a scratched runner. */
  readonly win: BestLine;
  readonly place: BestLine;
  /** Of the legs of a same-race multi. */
  readonly legs: Readonly<Record<MultiLeg, BestLine>>;
  readonly tote: VisibleTote | null;
}

/** The highest estimate of any pool before the jump, with the book that reports it. */
export interface VisibleTote {
  readonly amount: number;
  readonly product: string;
  readonly bookmaker: string;
  readonly polledAtMs: number;
  readonly stale: boolean;
  readonly staleFromMs: number;
}

export interface VisibleRace extends RaceDetails {
  readonly abandoned: boolean;
  /** By the last source that customers may see; null without one. */
  readonly marketStatus: string | null;
  readonly trackChangedMs: number | null;
  /** All of them, scratched ones included, by number. */
  readonly runners: readonly VisibleRunner[];
  /** Books that quote a price shown or compared; none once its prices are no longer shown. */
  readonly books: readonly VisibleBook[];
  /** Books that make up the consensus (A 2.5), whether they quote now or not. */
  readonly compared: readonly PolledBook[];
  /** At the best prices across books. */
  readonly bestMarketPct: number | null;
}

/** The loss of a winning bet on another runner, as a share of its return; null if no book publishes it. */
export interface Deduction {
  readonly number: number;
  readonly win: number | null;
  readonly place: number | null;
}

/** What has changed on a race's card. */
export interface CardChanges {
  /** The meeting's last change of its track, with the condition before it. */
  readonly track: { readonly atMs: number; readonly previous: string } | null;
  /** Of scratched runners, by number. */
  readonly deductions: readonly Deduction[];
}

export interface BoardSource {
  /** On the board, up to a day ahead, next to jump first; a race past its advertised start may have jumped. */
  boardRaces(limit: number, nowMs: number, filter: RaceFilter): Promise<readonly VisibleRace[]>;
  /**
   * Whatever its state; null when there is no such race. After the jump its prices and their staleness are those at the
   * jump.
   */
  race(raceId: string, nowMs: number): Promise<VisibleRace | null>;
  /**
   * Win prices of the books that may be compared, from the start of capture to the jump; none once its prices are no
   * longer shown.
   */
  captured(race: VisibleRace): Promise<readonly CapturedPrices[]>;
  cardChanges(raceId: string): Promise<CardChanges>;
  /** Jumped, without a result yet; latest first. */
  jumpedRaces(limit: number, nowMs: number, filter: RaceFilter): Promise<readonly JumpedRace[]>;
  /** Latest start first. */
  outcomes(limit: number, nowMs: number, filter: RaceFilter): Promise<readonly RaceOutcome[]>;
  outcome(raceId: string): Promise<RaceOutcome | null>;
  /** The races of its meeting, by number. */
  meeting(raceId: string): Promise<readonly MeetingRace[]>;
}

/** Changes of the board, as they are written. */
export interface PriceMoves {
  /** Calls back with the changed races; the returned function ends that. */
  watch(changed: (raceIds: ReadonlySet<string>) => void): () => void;
}
