// The race that the examples of the OpenAPI document are about. A test validates each example against its schema.
import type { Static } from '@sinclair/typebox';
import type { RaceEvent } from './race-schema';

/** The race in the examples. */
export const exampleIdentity = {
  race_id: '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10',
  venue: 'Flemington',
  venue_id: 'flemington',
  venue_canonical: 'Flemington',
  venue_site: 'flemington',
  race_number: 7,
  category: 'horse' as const,
  country: 'AU',
  start_time: '2026-11-21T05:20:00.000Z',
};

export const exampleFacts = {
  race_name: 'Spring Handicap',
  distance_m: 1600,
  track_condition: 'Good (4)',
  weather: 'Fine',
  race_class: 'Benchmark 84',
  conditions: null,
  prize_total: 150000,
  rail: 'True',
  track_name: null,
  apprentices_can_claim: true,
  track_condition_changed_at: null,
};

export const exampleMarket = { market_closed_at: null, inplay_at: null, market_state_source: 'pointsbetau' };

export const exampleScratchings = [
  { name: 'Late Mail', number: 3, barrier: 9, scratched_at: '2026-11-20T22:10:00.000Z', late: false, emergency: null },
];

export const exampleRunner = {
  number: 1,
  name: 'Gold Trip',
  barrier: 4,
  jockey: 'A. Rider',
  trainer: 'B. Trainer',
  weight: 58.5,
  form: 'x1325',
  runner_ref: null,
  horse_ref: 'pe:goldtrip',
};

export const exampleQuoteAge = {
  last_update: '2026-11-21T05:02:11.480Z',
  age_seconds: 9,
  stale: false,
  refresh_tier: 'live' as const,
  age_basis: 'poll' as const,
};

export const exampleRaceAge = {
  data_age_seconds: 9,
  freshest_age_seconds: 9,
  refresh_tier: 'live' as const,
  stale: false,
  stale_bookmakers: [],
  cached: false,
  cache_age_seconds: 0,
};

export const exampleEvent: Static<typeof RaceEvent> = {
  ...exampleIdentity,
  ...exampleFacts,
  ...exampleMarket,
  status: 'open',
  scratchings: exampleScratchings,
  market_status: 'OPEN',
  inplay: null,
};
