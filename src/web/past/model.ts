// What the pages of past races show, as values. Instants are epoch milliseconds of race time. Unknown is null, never 0
// (D3). No text, no HTML.
import type { ArchiveOutcome } from '../../domain/archive/archive-race';
import type { MarkedBest } from '../../domain/clv/best-at-marks';
import type { Close } from '../../domain/clv/measure';
import type { Day } from '../../domain/race/race';
import type { MeetingRace } from '../board/meeting';
import type { RaceOutcome, RaceSheet } from '../board/model';
import type { RaceTitle } from '../board/race-title';

/** Of the races that started on a Sydney day and have left the board. */
export interface PastDay {
  readonly day: Day;
  readonly run: number;
  readonly archived: number;
  /** With a closing line. */
  readonly closed: number;
  /** Archived without a closing line, by reason. */
  readonly without: Readonly<Partial<Record<ArchiveOutcome, number>>>;
}

export interface PastDays {
  /** With a race, newest first. */
  readonly days: readonly PastDay[];
  /** The first with closing lines; null: there is none. */
  readonly since: Day | null;
  /** The last of the days before these; null: the archive begins with these. */
  readonly older: Day | null;
}

export interface PastRaceRow extends RaceTitle {
  /** Null: not archived yet. */
  readonly outcome: ArchiveOutcome | null;
  readonly resultStatus: RaceOutcome['status'] | null;
  readonly winners: readonly { readonly number: number; readonly name: string | null }[];
  /** Closing lines, and the books that have one. */
  readonly closes: number;
  readonly books: number;
}

/** The races of one day, by start. */
export interface DayView {
  readonly coverage: PastDay;
  readonly races: readonly PastRaceRow[];
  /** The first day with closing lines; null: there is none. */
  readonly since: Day | null;
  /** The day before it; null where the archive begins. */
  readonly before: Day | null;
}

/**
 * How a book's close was found: a later poll confirmed it, only its own capture saw it, or it was last seen too early
 * to be one.
 */
export type FoundBy = 'poll' | 'tick' | 'none';

export interface CloseCell {
  readonly price: number;
  /** First captured. */
  readonly open: number;
  readonly foundBy: FoundBy;
  /** Whole seconds from the capture of the price to the jump. */
  readonly ageSeconds: number;
  /** Whole seconds from its last observation to the jump. */
  readonly seenSeconds: number;
  /** The highest of the closing lines, placeholders left out. */
  readonly best: boolean;
  /** A closing line that is no real quote (A 2.4 rule 2). */
  readonly placeholder: boolean;
}

export interface ClosesRow {
  readonly number: number;
  readonly name: string;
  readonly position: number | null;
  readonly scratched: boolean;
  /** The best close; null: no book has a closing line. */
  readonly close: Close | null;
  /** In the order of the books. */
  readonly cells: readonly (CloseCell | null)[];
  /** What the best price was worth at each mark; empty for a scratched runner. */
  readonly marks: readonly MarkedBest[];
}

export interface PastRace {
  /** The races of its meeting, by number. */
  readonly meeting: readonly MeetingRace[];
  /** As it stood at the jump, with the last hour of every runner. */
  readonly sheet: RaceSheet;
  readonly result: RaceOutcome | null;
  /** Null: not archived yet. */
  readonly outcome: ArchiveOutcome | null;
  readonly source: 'ticks' | 'archive';
  /** Titles. */
  readonly books: readonly string[];
  /** By number. */
  readonly closes: readonly ClosesRow[];
}
