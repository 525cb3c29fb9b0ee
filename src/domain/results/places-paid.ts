// How many places a result pays, and the place prices within them: one rule for the API, the pages and the files.
import type { Instant } from '../race/race';
import { withoutVacantBoxes } from '../race/runner';
import { possiblePlaces } from '../settlement/field-size';
import type { CardEntry, SettledRace } from '../settlement/settlement';

/** What a stored result states about it. */
export interface PlaceEvidence extends Pick<SettledRace, 'status' | 'placings' | 'runners' | 'deductions'> {
  readonly start_time: Instant;
  readonly card: readonly (CardEntry & { readonly name: string })[] | null;
  readonly places_paid: number | null;
}

/**
 * Places paid on a bet at the start, by the rule that settles it (docs/settlement.md): as the race reports them,
 * otherwise by its full field and its card. Null where it has not run, or these leave it open.
 */
export function placesPaidOf(row: PlaceEvidence): number | null {
  if (row.status === 'abandoned') return null;
  const { start_time: startTime, places_paid: placesPaid } = row;
  const card = withoutVacantBoxes(row.card ?? []);
  const race = { ...row, startTime, placesPaid, card: card.length === 0 ? null : card };
  const [only = null, ...others] = possiblePlaces(race, startTime);
  return others.length === 0 ? only : null;
}

/** No race pays more unless it reports it: behind these places a price would pass for a winning bet's. */
const MOST_PLACES_PAID = 3;

/** The placing's settled place price; null behind the places paid, whatever books list. */
export const placePriceOf = (
  { position, place_price }: { readonly position: number; readonly place_price: number | null },
  paid: number | null,
): number | null => (position <= (paid ?? MOST_PLACES_PAID) ? place_price : null);
