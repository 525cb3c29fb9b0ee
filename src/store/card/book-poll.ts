// One poll of a race at a book, as it is to be written: what the book sent, when, and under which fence. Types only.
import type { RaceSnapshot } from '../../domain/race/feed-race';
import type { Instant } from '../../domain/race/race';

/** Who writes: refused unless it still holds the race. */
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
  /** Null: a 304; only freshness is stamped. */
  readonly snapshot: RaceSnapshot | null;
  /** The book whose market state is the race's (D20). */
  readonly marketStateSource: boolean;
  /** The book whose advertised start and race facts are taken before others'. */
  readonly startSource: boolean;
}
