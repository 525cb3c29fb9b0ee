// Example of every market on one race, for the OpenAPI document. A test validates it against its schema.
import type { Static } from '@sinclair/typebox';
import { exampleFacts, exampleIdentity } from '../../wire/examples';
import type { RaceMarkets } from './markets-schema';

const quoteAge = {
  last_update: '2026-11-21T03:02:11.480Z',
  age_seconds: 9,
  stale: false,
  refresh_tier: 'live' as const,
  age_basis: 'poll' as const,
  source_url: null,
};
const quote = (bookmaker: string, at: number) => ({ price: at, bookmaker, ...quoteAge });

export const exampleMarkets: Static<typeof RaceMarkets> = {
  race: {
    ...exampleIdentity,
    start_time: '2026-11-21T03:20:00.000Z',
    ...exampleFacts,
    places_paid: 3,
    secs_to_jump: 1059,
    status: 'upcoming',
  },
  as_of: '2026-11-21T03:02:20.480Z',
  markets: ['win', 'top2', 'exotics'],
  prices: 'current',
  market_percentage: 104.6,
  data_age_seconds: 9,
  freshest_age_seconds: 9,
  bookmakers: [
    { bookmaker: 'ladbrokes_au', runners_priced: { win: 11, top2: 11 }, ...quoteAge },
    { bookmaker: 'tab', runners_priced: { win: 11, top2: 0 }, ...quoteAge },
  ],
  runners: [
    {
      number: 1,
      name: 'Gold Trip',
      barrier: 4,
      jockey: 'A. Rider',
      trainer: 'B. Trainer',
      weight: 58.5,
      form: 'x1325',
      runner_ref: null,
      horse_ref: 'pe:goldtrip',
      markets: {
        win: {
          best: quote('tab', 6),
          books_quoting: 2,
          price_spread_pct: 9.09,
          suspects: [],
          quotes: [quote('tab', 6), quote('ladbrokes_au', 5.5)],
        },
        top2: {
          best: quote('ladbrokes_au', 2.8),
          books_quoting: 1,
          price_spread_pct: 0,
          suspects: [],
          quotes: [quote('ladbrokes_au', 2.8)],
        },
      },
    },
  ],
  scratchings: [],
  exotics: { status: null, settled: false, status_note: null, resulted_at: null, settled_at: null, dividends: [] },
  note: null,
};
