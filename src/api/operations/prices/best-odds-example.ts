// A race of best odds.
import type { Static } from '@sinclair/typebox';
import {
  exampleFacts,
  exampleIdentity,
  exampleQuoteAge,
  exampleRaceAge,
  exampleRunner,
  exampleScratchings,
} from '../../wire/examples';
import type { BestOddsRace } from './best-odds-schema';

const best = { bookmaker: 'ladbrokes_au', source_url: null, ...exampleQuoteAge };

export const exampleBestOdds: Static<typeof BestOddsRace> = {
  race_id: exampleIdentity.race_id,
  venue: exampleIdentity.venue,
  race_number: exampleIdentity.race_number,
  category: exampleIdentity.category,
  country: exampleIdentity.country,
  start_time: exampleIdentity.start_time,
  race_name: exampleFacts.race_name,
  track_condition: exampleFacts.track_condition,
  market_percentage: 101.34,
  books_compared: 4,
  scratchings: exampleScratchings,
  runners: [
    {
      ...exampleRunner,
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
  ...exampleRaceAge,
};
