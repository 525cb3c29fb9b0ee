// The interface of a registry that publishes full fields (D25). Like a book's connector it handles only the registry's
// format: it never stores, never joins, and never throws for what the registry does wrong.

import type { Category, Day } from '../domain/race/race';
import type { FieldSource } from '../domain/results/field-coverage';
import type { PublishedListing, PublishedMeeting } from '../domain/results/published-results';
import type { DoorPurpose } from './door/door';
import type { FeedCall, FeedReply } from './feed';

export interface ResultsRegistry {
  readonly source: FieldSource;
  readonly category: Category;
  /** The units by which it publishes: states, authorities. */
  readonly regions: readonly string[];
  /** The first day that its lists may cover, as of this day. */
  beginsOn(today: Day): Day;
  /** Published meetings of these days, both inclusive. `purpose`: default `collection`. */
  listings(
    region: string,
    from: Day,
    to: Day,
    call?: FeedCall,
    purpose?: DoorPurpose,
  ): Promise<FeedReply<readonly PublishedListing[]>>;
  /** `key`: from a listing. */
  meeting(key: string, call?: FeedCall, purpose?: DoorPurpose): Promise<FeedReply<PublishedMeeting>>;
}
