// Which races of the live board a query selects: the shared WHERE of events and board, served by the index
// `races_on_board`.
import type { Category, Day, Instant } from '../../../domain/race/race';
import { FACTS, type FactColumns } from '../../../domain/race/race-facts';
import { domesticColumns } from './international';
import { venueMatches } from './venue-match';

export interface RaceWindow {
  /** The time of the request: the shown parts of a race depend on its state at this instant (D63). */
  readonly at: Instant;
  /** Of advertised starts; the end is exclusive. */
  readonly from: Instant;
  readonly until: Instant;
  /** Only this meeting day (AET). */
  readonly day?: Day;
  readonly categories?: readonly Category[];
  /** In any spelling of the feeds, in any case. */
  readonly venues?: readonly string[];
  readonly countries?: readonly string[];
  /** Races without a country, whatever `countries` names (A 2.1 rule 4: a country filter alone leaves them out). */
  readonly includeUnresolved: boolean;
}

/** Over `races r`, with the placeholders of `countries` and `includeUnresolved`. */
export const countryPasses = (countries: string, unresolved: string): string => `
  CASE WHEN r.country IS NULL THEN ${unresolved} ELSE ${countries}::text[] IS NULL OR r.country = ANY (${countries}) END`;

/**
 * Over `races r`, with the parameters of `windowValues` as $1 to $7; which states are shown is the reader's
 * (`shownOn`).
 */
export const WINDOW_WHERE = `
  r.left_board_at IS NULL AND r.start_time >= $1 AND r.start_time < $2
  AND ($3::date IS NULL OR r.meeting_date = $3)
  AND ($4::text[] IS NULL OR r.category = ANY ($4))
  AND ($5::text[] IS NULL OR ${venueMatches('$5')})
  AND ${countryPasses('$6', '$7')}`;

export function windowValues(window: RaceWindow): unknown[] {
  const { from, until, day, categories, venues, countries, includeUnresolved } = window;
  return [from, until, day ?? null, categories ?? null, venues ?? null, countries ?? null, includeUnresolved];
}

/** The order in which a reader names races; it distinguishes races of the same venue, day and number. */
export interface RaceName {
  readonly race_id: string;
  readonly venue: string;
  readonly race_number: number;
  readonly category: Category;
  readonly country: string | null;
  readonly start_time: Instant;
}

export interface RaceIdentity extends RaceName {
  readonly venue_id: string;
  readonly venue_canonical: string;
  readonly venue_site: string;
}

export interface RaceHead extends RaceIdentity, FactColumns {
  readonly track_condition_changed_at: Instant | null;
  readonly status: string;
  readonly market_status: string | null;
  readonly inplay: boolean | null;
  readonly market_closed_at: Instant | null;
  readonly inplay_at: Instant | null;
  readonly market_state_source: string | null;
}

const DOMESTIC = FACTS.filter(([, { isInternational }]) => !isInternational).map(([, { name }]) => name);

/** Columns of `RaceHead`, of the alias `r`. */
export const HEAD_COLUMNS = `
  r.race_id, r.venue, r.venue_id, r.venue_canonical, r.venue_site, r.race_number, r.category, r.country, r.start_time,
  ${FACTS.filter(([, { isInternational }]) => isInternational)
    .map(([, { name }]) => `r.${name}`)
    .join(', ')},
  r.status, r.market_status, r.inplay, r.market_closed_at, r.inplay_at, r.market_state_source,
  ${domesticColumns(...DOMESTIC, 'track_condition_changed_at')}`;
