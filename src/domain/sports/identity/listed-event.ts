// A match as a book lists it, and as it is stored when the book's row is placed.
import type { Instant } from '../../race/race';
import type { Sport } from '../sports';
import type { Team } from './team-names';

export interface ListedEvent {
  readonly sport: Sport;
  readonly sourceId: string | null;
  readonly homeTeam: string;
  readonly awayTeam: string;
  readonly competition: string | null;
  readonly commenceTime: Instant;
  /** `homeShareOf` the prices that the book has for its own home side; null: none. */
  readonly homeShare: number | null;
}

export interface StoredEvent {
  readonly eventId: string;
  readonly canonicalId: string;
  readonly sportKey: string;
  readonly homeKey: string;
  readonly awayKey: string;
  readonly commenceTime: Instant;
  /** At which books list it now: after a postponement they differ for a while. */
  readonly listedStarts: readonly Instant[];
  /** That the pushing book last gave to it. */
  readonly sourceId: string | null;
  /** Whether the pushing book lists it now. */
  readonly isOwn: boolean;
  /** `homeShareOf` the prices that the pushing book has stored for it, of the match's home side; null: it has none. */
  readonly ownShare: number | null;
  /** That any book has named for it. */
  readonly competitions: readonly string[];
  /** The median of `homeShareOf` over the other books that list it now, those with stale prices left out; null: none of them prices it. */
  readonly homeShare: number | null;
  /** Of how many books that median is. */
  readonly pricedBy: number;
}

export interface Row {
  readonly listed: ListedEvent;
  readonly home: Team;
  readonly away: Team;
}
