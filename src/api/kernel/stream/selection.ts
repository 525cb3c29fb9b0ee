// What one stream shows: its filters, and what its plan sees. Streams with equal selections share their bytes.
import type { Category } from '../../../domain/race/race';
import type { BoardRace } from '../../../store/reads/races/board';

export interface Selection {
  readonly categories?: readonly Category[];
  readonly countries?: readonly string[];
  readonly includeUnresolved: boolean;
  readonly betslip: boolean;
  /** How far ahead whole races are sent. */
  readonly horizonHours: number;
}

/** Equal for equal selections. */
export const selectionKey = (selection: Selection): string =>
  JSON.stringify([filtersKey(selection), selection.betslip, selection.horizonHours]);

/** Equal for equal filters. */
export const filtersKey = ({ categories, countries, includeUnresolved }: Selection): string =>
  JSON.stringify([sorted(categories), sorted(countries), includeUnresolved]);

const sorted = (values: readonly string[] | undefined): readonly string[] | null =>
  values ? [...new Set(values)].sort() : null;

/** As the reads filter (`countryPasses`). */
export function selects(
  { categories, countries, includeUnresolved }: Selection,
  { category, country }: Pick<BoardRace, 'category' | 'country'>,
): boolean {
  if (categories && !categories.includes(category)) return false;
  return country === null ? includeUnresolved : !countries || countries.includes(country);
}
