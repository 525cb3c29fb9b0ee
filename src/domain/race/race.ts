// The nouns of a race that every layer shares. Types only; rules live in the files named for them.

export const CATEGORIES = ['horse', 'harness', 'greyhound'] as const;
export type Category = (typeof CATEGORIES)[number];

/** Refresh tier of a race or of one book's quote (A 2.4 rule 4). */
export type RefreshTier = 'live' | 'card';

/** Live betting-market state (D20). */
export type MarketStatus = 'OPEN' | 'SUSPENDED' | 'CLOSED';

/** An instant as UTC ISO 8601 with `Z`, at most millisecond precision (D2). */
export type Instant = string;

/** A calendar day `YYYY-MM-DD`; meeting days are Australia/Sydney days (D2). */
export type Day = string;

/**
 * The parts from which a `race_id` is derived (D17). `card` is 1, or 2 and up when one track runs several cards on a
 * day.
 */
export interface RaceIdentity {
  readonly meetingDate: Day;
  readonly category: Category;
  readonly venueId: string;
  readonly raceNumber: number;
  readonly card: number;
}
