// The state of one race, and what may happen to it. Plain JSON: it lives in a workflow and is carried over
// continue-as-new, so no Map, Set, Date or class instance may ever appear here, and `schema` grows whenever a field
// changes its meaning.

import type { Category, Instant, RefreshTier } from '../race/race';
import type { FieldState } from '../results/field-coverage';

/**
 * `card` more than three hours out; `live` to the jump; `jumped` until a result; then `interim`, `final`; `abandoned`:
 * it did not run.
 */
export type RacePhase = 'card' | 'live' | 'jumped' | 'interim' | 'final' | 'abandoned';

export interface RaceState {
  readonly schema: 1;
  readonly raceId: string;
  readonly category: Category;
  readonly country: string | null;
  readonly phase: RacePhase;
  /** When the present phase began. */
  readonly phaseSince: Instant;
  /** The race's clock: the latest instant of any event. Never goes back. */
  readonly asOf: Instant;
  readonly onBoard: boolean;
  readonly leftBoardAt: Instant | null;
  /** Grows by one with every change of tier; never goes back. 0 before the first tick. */
  readonly epoch: number;
  readonly tier: RefreshTier | 'none';
  readonly advertisedStart: Instant;
  readonly startVersion: number;
  /**
   * The last abandonment that was ordered elsewhere (its meeting, a registry's notice) and decided here; 0 before the
   * first.
   */
  readonly abandonmentVersion: number;
  /** Set once (A 2.2): a reopening does not change it. */
  readonly marketClosedAt: Instant | null;
  /** Whether the market-state book had the market closed at its last report. */
  readonly marketShut: boolean;
  /** Set once. Only an exchange reports it. */
  readonly inplayAt: Instant | null;
  /** The jump by the order of D24. Set once; only a reinstatement takes it back, because the race then has not run. */
  readonly jumpedAt: Instant | null;
  readonly reinstatedAt: Instant | null;
  /** Null until a result is reported. See `placings.ts`. */
  readonly placingsKey: string | null;
  readonly placingsSince: Instant | null;
  readonly protest: boolean;
  /** An operator's placings stand: a feed no longer changes them. */
  readonly overridden: boolean;
  /** `abandoned`, `postponed` or `transferred to X` (A 3). */
  readonly note: string | null;
  /** Null until a result row exists. */
  readonly field: FieldState | null;
  readonly lastFieldPassAt: Instant | null;
  /** The collector pass last requested, so that each is requested once. */
  readonly fieldPassAskedAt: Instant | null;
  /** Nothing more is scheduled: the workflow may end. */
  readonly over: boolean;
}

/** The values that a race starts with. `at` is the instant it was discovered. */
export interface RaceStart {
  readonly raceId: string;
  readonly category: Category;
  readonly country: string | null;
  readonly advertisedStart: Instant;
  readonly startVersion: number;
  readonly at: Instant;
}

/** Everything that can happen. `at` is when we observed it, in race time. */
export type RaceEvent =
  | { readonly type: 'tick'; readonly at: Instant }
  | { readonly type: 'startMoved'; readonly start: Instant; readonly version: number; readonly at: Instant }
  | { readonly type: 'marketClosed'; readonly at: Instant }
  | { readonly type: 'marketReopened'; readonly at: Instant }
  | { readonly type: 'inplay'; readonly at: Instant }
  | {
      readonly type: 'resultSeen';
      readonly stage: 'interim' | 'final' | 'abandoned';
      readonly placingsKey: string;
      readonly protest: boolean;
      /** Why the race did not run; only read with stage `abandoned`. */
      readonly note?: string | null;
      readonly at: Instant;
    }
  /** `version`: the version of an order from elsewhere; absent if the race itself decided. */
  | { readonly type: 'abandoned'; readonly note: string; readonly version?: number; readonly at: Instant }
  /** The fence refused the poller of this epoch. `held`: the newest epoch of the fence; null if it has none. */
  | { readonly type: 'refused'; readonly epoch: number; readonly held: number | null; readonly at: Instant }
  | { readonly type: 'reinstated'; readonly at: Instant }
  | { readonly type: 'overridden'; readonly placingsKey: string; readonly at: Instant }
  /** The result did not become final: these placings, or a protest, are stored, or no book could be reached. */
  | { readonly type: 'notFinal'; readonly placingsKey: string; readonly protest: boolean; readonly at: Instant }
  /** The stored result is gone: the database was restored from an older backup. */
  | { readonly type: 'resultLost'; readonly at: Instant }
  | { readonly type: 'fieldFilled'; readonly at: Instant }
  | { readonly type: 'fieldPassed'; readonly at: Instant };

/** What the workflow carries out, in this order. Descriptions only; each is idempotent under retry. */
export type RaceEffect =
  | {
      readonly do: 'set_control';
      readonly epoch: number;
      readonly tier: RefreshTier | 'none';
      readonly advertisedStart: Instant;
      readonly closed: boolean;
      /**
       * The versions of the facts that this state includes: the database compares them to find facts that the workflow
       * has not seen. Absent in a decision of an older version.
       */
      readonly startVersion?: number;
      readonly abandonmentVersion?: number;
    }
  | { readonly do: 'write_abandoned'; readonly note: string }
  /** Undo the abandonment and any result: the race has not run and returns to the board. */
  | { readonly do: 'reinstate' }
  | {
      readonly do: 'save_phase';
      readonly phase: RacePhase;
      readonly jumpedAt: Instant | null;
      readonly leftBoardAt: Instant | null;
    }
  /** `placingsKey`: the placings that stood; absent in a decision of an older version. */
  | { readonly do: 'finalise'; readonly placingsKey?: string }
  /** `lastPassAt`: when a collector pass last ran without a field; absent in a decision of an older version. */
  | { readonly do: 'save_field'; readonly field: FieldState; readonly lastPassAt?: Instant | null }
  | { readonly do: 'run_field_pass'; readonly at: Instant }
  /** The workflow ends by its own rules: the facts stored now must not start it again. */
  | { readonly do: 'close' };

export type DeadlineReason = 'live_tier' | 'jump' | 'leave_board' | 'final' | 'field_pass' | 'field_horizon' | 'close';

/** When to send the next tick if nothing else happens first. */
export interface Deadline {
  readonly at: Instant;
  readonly why: DeadlineReason;
}
