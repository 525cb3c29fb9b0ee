// The one interface of a registry that publishes full fields (D25). Like a book's connector it only speaks the registry's format: it never
// stores, never joins, never throws for what the registry does wrong.

import type { Category, Day } from '../domain/race/race';
import type { FieldSource } from '../domain/results/field-coverage';
import type { PublishedListing, PublishedMeeting } from '../domain/results/published-results';
import type { FeedCall, FeedReply } from './feed';

export interface ResultsRegistry {
  readonly source: FieldSource;
  readonly category: Category;
  /** What it publishes by: states, authorities. */
  readonly regions: readonly string[];
  /** Meetings of these days, both inclusive, of which there is a document. */
  listings(region: string, from: Day, to: Day, call?: FeedCall): Promise<FeedReply<readonly PublishedListing[]>>;
  /** `key` as a listing gave it. */
  meeting(key: string, call?: FeedCall): Promise<FeedReply<PublishedMeeting>>;
}
