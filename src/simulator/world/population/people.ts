// The jockeys, drivers and trainers of the world. Riders stay in their state; a trainer keeps the same animals. Pure in
// the seed.
import type { Category } from '../../../domain/race/race';
import { mix, shuffled } from '../random';
import { GIVEN_NAMES, SURNAMES } from '../words';

export interface Person {
  readonly name: string;
  /** Where the trainer's stable is. */
  readonly location: string;
}

export interface Rider {
  readonly name: string;
  /** Kilograms that an apprentice claims, or null. */
  readonly claimKg: number | null;
}

/** All other places are one region. */
const REGIONS = ['NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS', 'NT', 'ACT', 'NZ', 'abroad'];
const HOME_TOWNS = [
  'Wyong',
  'Hawkesbury',
  'Cranbourne',
  'Kyneton',
  'Deagon',
  'Gatton',
  'Murray Bridge',
  'Byford',
  'Longford',
  'Cambridge',
];
/** Number of riders per region. */
const RIDERS: Record<Category, number> = { horse: 45, harness: 30, greyhound: 0 };
const TRAINERS: Record<Category, number> = { horse: 600, harness: 300, greyhound: 600 };
/** Each role has its own part of the list of names: riders of every region first, then trainers. */
const FIRST_RIDER: Record<Category, number> = { horse: 0, harness: 450, greyhound: 750 };
const FIRST_TRAINER: Record<Category, number> = { horse: 750, harness: 1350, greyhound: 1650 };
const CLAIMS_KG = [1.5, 2, 3, 4];
const APPRENTICES = 9;

/** As many riders of the state as the race has runners, none twice. */
export function ridersOf(seed: number, category: Category, state: string, raceSeed: number, count: number): Rider[] {
  const region = REGIONS.includes(state) ? REGIONS.indexOf(state) : REGIONS.length - 1;
  const first = FIRST_RIDER[category] + region * RIDERS[category];
  const all = Array.from({ length: RIDERS[category] }, (_, i) => i);
  return shuffled(mix(raceSeed, 81), all)
    .slice(0, count)
    .map((i) => ({
      name: personName(seed, first + i),
      claimKg: category === 'horse' && i < APPRENTICES ? CLAIMS_KG[i % CLAIMS_KG.length]! : null,
    }));
}

/** `lot` is from 0 to 1. */
export function trainerOf(seed: number, category: Category, lot: number): Person {
  const index = FIRST_TRAINER[category] + Math.floor(lot * TRAINERS[category]);
  return { name: personName(seed, index), location: HOME_TOWNS[mix(seed, 85, index) % HOME_TOWNS.length]! };
}

const NAMES = GIVEN_NAMES.length * SURNAMES.length;
/** Coprime with the number of names, so that no two people share one. */
const STRIDE = 1_277;

/** Each name is one string, by pair, for all days. */
const made: (string | undefined)[] = new Array(NAMES);

function personName(seed: number, index: number): string {
  const pair = ((seed % NAMES) + index * STRIDE) % NAMES;
  const name =
    made[pair] ?? `${GIVEN_NAMES[pair % GIVEN_NAMES.length]} ${SURNAMES[Math.floor(pair / GIVEN_NAMES.length)]}`;
  made[pair] = name;
  return name;
}
