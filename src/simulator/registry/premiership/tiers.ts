// The kind of meetings that a track holds. Data only.
import type { PremiershipScope } from '../../../domain/registry/premiership';

type Tier = Exclude<PremiershipScope, 'all' | 'picnic'>;

const METRO = new Set([
  'Randwick',
  'Rosehill',
  'Canterbury',
  'Warwick Farm',
  'Flemington',
  'Caulfield',
  'Moonee Valley',
  'Sandown',
  'Eagle Farm',
  'Doomben',
  'Morphettville',
  'Ascot',
  'Belmont',
  'Launceston',
  'Darwin',
]);
const PROVINCIAL = new Set([
  'Newcastle',
  'Kembla Grange',
  'Cranbourne',
  'Pakenham',
  'Ballarat',
  'Mornington',
  'Ipswich',
  'Sunshine Coast',
  'Toowoomba',
  'Murray Bridge',
]);

/** No simulated meeting is a picnic meeting. */
export function tierOf(track: string): Tier {
  if (METRO.has(track)) return 'metro';
  return PROVINCIAL.has(track) ? 'provincial' : 'country';
}
