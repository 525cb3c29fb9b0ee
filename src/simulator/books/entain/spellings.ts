// Entain's spellings: letters for codes and countries, joined track conditions, statuses.
import type { Category } from '../../../domain/race/race';
import type { EntainCategory, EntainStatus } from '../../../feeds/entain/payload';
import type { Conditions, Race } from '../../world/race';
import type { Country } from '../../world/tracks';
import type { ListView } from '../view';

export const CATEGORY_LETTERS: Record<Category, EntainCategory> = { horse: 'T', harness: 'H', greyhound: 'G' };
/** Entain's own list, which mixes two and three letters. */
export const COUNTRIES: Readonly<Record<Country, string>> = {
  AU: 'AUS',
  NZ: 'NZ',
  HK: 'HK',
  TR: 'TUR',
  GB: 'UK',
  US: 'USA',
};

/** Observed in both styles, by meeting. */
const WEATHER = {
  fine: ['FINE', 'Fine'],
  overcast: ['OCAST', 'Overcast'],
  showery: ['SHWRY', 'showers'],
  raining: ['RAIN', 'Raining'],
} as const;

export const conditionText = ({ going, rating }: Conditions): string => `${going}${rating ?? ''}`;

export const weatherText = (race: Race, { weather }: Conditions): string => WEATHER[weather][race.meeting.seed & 1]!;

export function statusOf({ state, takesBets }: ListView): EntainStatus {
  if (state.stage === 'abandoned') return 'Abandoned';
  if (takesBets) return 'Open';
  if (state.stage === 'open') return 'Closed';
  if (state.stage === 'interim') return 'Interim';
  return state.stage === 'final' ? 'Final' : 'Live';
}

export const isoSeconds = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;
