// One poll of a race at a book, ready to be written: what the book sent, when, and under which fence. Types only.
import type { RaceSnapshot } from '../../domain/race/feed-race';
import type { Instant } from '../../domain/race/race';

/** The poller that writes; refused if a newer one has the race. */
export interface Fence {
  readonly epoch: number;
  readonly attempt: number;
}

export interface BookPoll {
  readonly raceId: string;
  readonly bookmakerKey: string;
  readonly fence: Fence;
  /** Our instant: the age of the quotes, and the `captured_at` of any tick. */
  readonly observedAt: Instant;
  readonly bookAt: Instant | null;
  /** Null: a 304, which only stamps freshness. */
  readonly snapshot: RaceSnapshot | null;
  /** Whether this book's market state is the race's (D20). */
  readonly marketStateSource: boolean;
  /** Whether this book's advertised start and race facts come before other books'. */
  readonly startSource: boolean;
  /** Its race is near its jump: it goes before others that wait for a connection. */
  readonly isNear?: boolean;
  /** Writing it may wait a moment for other polls: it is not near, or the process does not keep up. */
  readonly mayWait?: boolean;
}
