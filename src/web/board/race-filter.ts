// Which races the board shows: by code, country and Australian state, as query parameters in one order, so that equal
// choices have one address. A value outside the lists is no choice but a mistake: choices are limited in number.
import { CATEGORIES, type Category } from '../../domain/race/race';
import { VENUE_COUNTRIES, VENUE_STATES } from '../../domain/race/venue';

export interface RaceFilter {
  readonly code: Category | null;
  /** ISO 3166. */
  readonly country: string | null;
  /** Of Australia: then `country` is null. */
  readonly state: string | null;
}

export const EVERY_RACE: RaceFilter = { code: null, country: null, state: null };

/** How many choices there are. */
export const CHOICES = (CATEGORIES.length + 1) * (1 + VENUE_COUNTRIES.length + VENUE_STATES.length);

/** Null: a parameter has a value that none of the lists has, or two that exclude each other. */
export function raceFilter(query: Readonly<Record<string, unknown>>): RaceFilter | null {
  const code = oneOf(CATEGORIES, query.code);
  const country = oneOf(VENUE_COUNTRIES, query.country);
  const state = oneOf(VENUE_STATES, query.state);
  if (code === undefined || country === undefined || state === undefined) return null;
  if (state !== null && country !== null && country !== 'AU') return null;
  return { code, country: state === null ? country : null, state };
}

/** Null without a value, undefined for one that is not listed. */
function oneOf<T extends string>(list: readonly T[], value: unknown): T | null | undefined {
  return value === undefined || value === '' ? null : list.find((one) => one === value);
}

export const isEveryRace = ({ code, country, state }: RaceFilter): boolean =>
  code === null && country === null && state === null;
