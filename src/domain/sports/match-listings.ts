// Which books list a match, and why their rows are this match: as stored, without prices (D66).
import type { Evidence } from './identity/same-match';

/** By what a row was first joined: `new` made the match. */
export type PlacedBy = 'new' | Evidence;

/** A book's row. */
export interface MatchListing {
  readonly bookmaker: string;
  /** As the book spells and orders them. */
  readonly homeName: string;
  readonly awayName: string;
  /** The book lists the sides the other way round. */
  readonly swapped: boolean;
  readonly startMs: number;
  /** Of the last push that listed it. */
  readonly observedMs: number;
  /** Of the first push that did not. Null: the book lists it. */
  readonly takenBackMs: number | null;
  readonly competition: string | null;
  /** Null: not recorded. */
  readonly placedBy: PlacedBy | null;
  /** Whether an operator joined or parted it. */
  readonly ruled: boolean;
}

export interface MatchListings {
  readonly eventId: string;
  /** The match that an operator joined it to, which has all its rows. */
  readonly joinedInto: string | null;
  readonly sportKey: string;
  readonly homeTeam: string;
  readonly awayTeam: string;
  readonly competition: string | null;
  readonly startMs: number;
  /** By book. */
  readonly listings: readonly MatchListing[];
}
