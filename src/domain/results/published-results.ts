// A registry's publication about a meeting that has run: the full field of each race, or that it did not run. One form
// for every registry's format; nothing here is joined to our races yet. Unknown is null (D3).

import type { Category, Day, Instant } from '../race/race';
import type { FieldSource } from './field-coverage';
import type { ResultRunner } from './result';

/** A meeting on a registry's list of results. */
export interface PublishedListing {
  /** The registry's own key of the document. */
  readonly key: string;
  readonly day: Day;
  /** One of the registry's `regions`. */
  readonly region: string;
  /** As the registry spells it. */
  readonly venue: string;
}

export interface PublishedRace {
  readonly raceNumber: number;
  /** Advertised; null where the registry does not publish it. */
  readonly startTime: Instant | null;
  readonly distanceM: number | null;
  readonly raceName: string | null;
  /** `none`: no result is published yet. Only the field of `final` is stored: an interim one may change. */
  readonly stage: 'none' | 'interim' | 'final' | 'abandoned';
  /** By number. Empty unless the stage is `interim` or `final`. */
  readonly runners: readonly ResultRunner[];
}

export interface PublishedMeeting {
  readonly source: FieldSource;
  readonly key: string;
  readonly category: Category;
  readonly day: Day;
  readonly venue: string;
  /** `abandoned`, `postponed` or `transferred to X` (A 3) when the whole meeting does not run; null: it does. */
  readonly note: string | null;
  readonly races: readonly PublishedRace[];
}
