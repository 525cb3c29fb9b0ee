// Small valid values of the registry's documents; a test states only the values that it is about.
import { PRINTED, type PrintedFacts } from '../../../src/domain/race/race-facts';
import type {
  RegistryCard,
  RegistryCondition,
  RegistryListing,
  RegistryRace,
  RegistryRunner,
} from '../../../src/domain/registry/registry';

export const FLEMINGTON = '2026Nov21,VIC,Flemington';

export const registryListing = (over: Partial<RegistryListing> = {}): RegistryListing => ({
  key: FLEMINGTON,
  day: '2026-11-21',
  state: 'VIC',
  venue: 'Flemington',
  acceptances: true,
  scratchings: true,
  ...over,
});

export const registryRunner = (number: number, over: Partial<RegistryRunner> = {}): RegistryRunner => ({
  number,
  name: `RUNNER ${number}`,
  emergency: false,
  horseCode: `20120${number}`,
  raceEntryCode: `58439${number}`,
  barrier: null,
  jockey: null,
  jockeyCode: null,
  claimKg: null,
  trainer: null,
  trainerCode: null,
  weightKg: null,
  last10: null,
  rating: null,
  ...over,
});

const NOTHING_PRINTED = Object.fromEntries(PRINTED.map(([key]) => [key, null])) as unknown as PrintedFacts;

export const registryRace = (raceNumber: number, over: Partial<RegistryRace> = {}): RegistryRace => ({
  raceNumber,
  name: `RACE ${raceNumber}`,
  startLocal: '2:00PM',
  startTime: '2026-11-21T03:00:00.000Z',
  distanceM: 1200,
  ...NOTHING_PRINTED,
  prizes: null,
  trackType: null,
  fieldLimit: null,
  runners: [1, 2, 3].map((number) => registryRunner(number)),
  ...over,
});

export const registryCard = (over: Partial<RegistryCard> = {}): RegistryCard => ({
  key: FLEMINGTON,
  track: { trackCondition: null, rail: null, weather: null, penetrometer: null, trackType: null },
  statedRunners: null,
  races: [registryRace(1)],
  ...over,
});

export const registryCondition = (over: Partial<RegistryCondition> = {}): RegistryCondition => ({
  day: '2026-11-21',
  venue: 'Flemington',
  trackCondition: 'Good 4',
  rail: null,
  weather: null,
  penetrometer: null,
  rainfall: null,
  irrigation: null,
  updated: null,
  ...over,
});
