// How many places a result pays, and the place prices within them: one rule for the API and the pages.
import { withoutVacantBoxes } from '../../../domain/race/runner';
import { possiblePlaces } from '../../../domain/settlement/field-size';
import type { ResultPlacing, ResultRow } from '../../../store/reads/results/results';

export type PlaceEvidence = Pick<
  ResultRow,
  'status' | 'start_time' | 'placings' | 'runners' | 'card' | 'deductions' | 'places_paid'
>;

/**
 * Places paid on a bet at the start, by the rule that settles it (docs/settlement.md): as the race reports them, otherwise by its full field and
 * its card. Null where it has not run, or these leave it open.
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
export const placePriceOf = ({ position, place_price }: ResultPlacing, paid: number | null): number | null =>
  position <= (paid ?? MOST_PLACES_PAID) ? place_price : null;
