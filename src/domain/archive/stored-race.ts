// The stored data of a past race when it is archived: its facts, and every change of every captured price. Types only.
import type { SeriesChange } from '../clv/stands';
import type { Category, Instant } from '../race/race';
import type { ResultRunner } from '../results/result';

export interface StoredRace {
  readonly raceId: string;
  readonly category: Category;
  readonly startTime: Instant;
  /** As customers may see it; null: no book reported it. */
  readonly marketClosedAt: Instant | null;
  readonly abandoned: boolean;
  /** By number. */
  readonly card: readonly CardRunner[];
  readonly result: StoredOutcome | null;
  readonly series: readonly StoredSeries[];
  readonly gaps: readonly PollGap[];
}

/** A book was not polled for more than two minutes, or its first price of the race was captured: then at `atMs`. */
export interface PollGap {
  readonly bookmaker: string;
  /** The poll before; NaN: there was none. Epoch milliseconds, as `atMs`, the poll that ended the gap. */
  readonly seenMs: number;
  readonly atMs: number;
}

export interface CardRunner {
  readonly number: number;
  readonly name: string;
  readonly runnerKey: string;
  readonly runnerRef: string | null;
  readonly emergency: boolean | null;
  readonly scratched: boolean;
  readonly scratchedAt: Instant | null;
}

export interface StoredOutcome {
  readonly placings: readonly { readonly position: number; readonly number: number }[];
  readonly runners: readonly ResultRunner[] | null;
}

/** The captured prices of one name under one number at one book. */
export interface StoredSeries {
  readonly bookmaker: string;
  readonly number: number;
  /** Folded, as this book spells it. */
  readonly runnerKey: string;
  /** The book still has this name under the number. False: another runner took it. */
  readonly current: boolean;
  readonly changes: readonly SeriesChange[];
  /** The other prices at each capture, aligned to the captured ones. */
  readonly legs: readonly Legs[];
  /** The last poll that saw what the last change left on offer; NaN: unknown. */
  readonly seenMs: number;
  /** Its place price in the book's last response; null: it had none. */
  readonly placeShown: number | null;
  /** The book's last poll. */
  readonly polledMs: number;
}

/** Null: not quoted. */
export interface Legs {
  readonly place: number | null;
  readonly top2: number | null;
  readonly top3: number | null;
  readonly top4: number | null;
}
