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
  /** Null: the book does not price it head to head. */
  readonly h2h: HeadToHead | null;
  /**
   * As the names in the database read it, and as its match is keyed (`like-stored.ts`). Without: as the seeded names
   * do.
   */
  readonly teams?: { readonly home: Team | null; readonly away: Team | null };
}

/** Prices of the home side, the draw and the away side. */
export type HeadToHead = readonly [home: number | null, draw: number | null, away: number | null];

export interface StoredEvent {
  /**
   * Of a match that was joined to another: the other's id, and all that is the other's, but for its own names and
   * canonical id.
   */
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
  /** Those prices, of the match's sides. */
  readonly ownH2h: HeadToHead | null;
  /** An operator joined or separated the pushing book's row. */
  readonly isRuledOwn: boolean;
  /** An operator joined another match to it. */
  readonly isRuled: boolean;
  /** The `source_id` of each row of the pushing book that an operator separated from it; null: of a row without. */
  readonly partedIds: readonly (string | null)[];
  /** That any book has named for it. */
  readonly competitions: readonly string[];
  /**
   * The median of `homeShareOf` over the other books that list it now, those with stale prices left out; null: none of
   * them prices it.
   */
  readonly homeShare: number | null;
  /** Of how many books that median is. */
  readonly pricedBy: number;
}

export interface ListedMatch {
  readonly listed: ListedEvent;
  readonly home: Team;
  readonly away: Team;
}
