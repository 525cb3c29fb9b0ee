// Examples of the larger responses, for the OpenAPI document. A test validates each against its schema.
import type { Static } from '@sinclair/typebox';
import type { BestOddsRace } from './prices/best-odds';
import type { NextRace } from './prices/next-to-go';
import type { RaceEvent } from './race';
import type { ResultsCoverage } from './results/coverage';

/** The race that examples are about. */
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

const facts = {
  race_name: 'Spring Handicap',
  distance_m: 1600,
  track_condition: 'Good (4)',
  weather: 'Fine',
  race_class: 'Benchmark 84',
  conditions: null,
  prize_total: 150000,
  rail: 'True',
  track_name: null,
  track_condition_changed_at: null,
};

const market = { market_closed_at: null, inplay_at: null, market_state_source: 'pointsbetau' };

export const exampleScratchings = [
  { name: 'Late Mail', number: 3, barrier: 9, scratched_at: '2026-11-20T22:10:00.000Z', late: false, emergency: null },
];

const runner = {
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

const quoteAge = {
  last_update: '2026-11-21T05:02:11.480Z',
  age_seconds: 9,
  stale: false,
  refresh_tier: 'live' as const,
  age_basis: 'poll' as const,
};

const raceAge = {
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
  ...facts,
  ...market,
  status: 'open',
  scratchings: exampleScratchings,
  market_status: 'OPEN',
  inplay: null,
};

export const exampleNextRace: Static<typeof NextRace> = {
  ...exampleIdentity,
  source_id: null,
  ...facts,
  places_paid: 3,
  ...market,
  scratchings: exampleScratchings,
  runners: [{ ...runner, bookmakers: [{ key: 'ladbrokes_au', win_price: 5.5, place_price: 2.1, ...quoteAge }] }],
  ...raceAge,
};

const best = { bookmaker: 'ladbrokes_au', source_url: null, ...quoteAge };

export const exampleBestOdds: Static<typeof BestOddsRace> = {
  race_id: exampleIdentity.race_id,
  venue: exampleIdentity.venue,
  race_number: exampleIdentity.race_number,
  category: exampleIdentity.category,
  country: exampleIdentity.country,
  start_time: exampleIdentity.start_time,
  race_name: facts.race_name,
  track_condition: facts.track_condition,
  market_percentage: 101.34,
  books_compared: 4,
  scratchings: exampleScratchings,
  runners: [
    {
      ...runner,
      best_win: { price: 5.5, ...best },
      best_place: { price: 2.1, ...best },
      best_tote: null,
      best_top2: { price: 3.2, ...best, books_quoting: 1 },
      books_quoting: 4,
      books_quoting_win: 4,
      books_quoting_place: 3,
      price_spread_pct: 10,
      suspect_win: null,
      suspect_place: null,
    },
  ],
  ...raceAge,
};

const field = { races: 1, complete: 0, pending: 1, overdue: 0, unavailable: 0, unsupported: 0, not_applicable: 0 };
const counts = { ...field, without_result: 0 };
const group = { country: 'AU', category: 'horse' as const, field_source: 'racing_australia' as const, ...counts };

export const exampleCoverage: Static<typeof ResultsCoverage> = {
  as_of: '2026-11-21T06:00:00.000Z',
  days: 1,
  from_day: '2026-11-21',
  to_day: '2026-11-21',
  coverage_from: '2026-08-15T05:53:00.000Z',
  ...counts,
  collectable: 1,
  complete_pct: 0,
  supported_complete_pct: 0,
  by_category: [group],
  by_day: [{ day: '2026-11-21', ...group }],
  venues_incomplete: [
    {
      day: '2026-11-21',
      venue: 'Flemington',
      venue_id: 'flemington',
      category: 'horse',
      country: 'AU',
      settled: true,
      ...counts,
    },
  ],
  venues_incomplete_truncated: false,
  field_scope: 'Races with a result whose meeting day is one of these Sydney days.',
};
