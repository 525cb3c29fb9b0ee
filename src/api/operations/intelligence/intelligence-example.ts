// Example of the analysis of a race, for the OpenAPI document. A test validates it against its schema.
import type { Static } from '@sinclair/typebox';
import { exampleScratchings } from '../../wire/examples';
import type { Intelligence } from './intelligence-schema';

export const exampleIntelligence: Static<typeof Intelligence> = {
  race: {
    race_id: '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10',
    venue: 'Flemington',
    race_number: 7,
    category: 'horse',
    country: 'AU',
    start_time: '2026-11-21T03:00:00.000Z',
    secs_to_jump: 40,
    refresh_tier: 'live',
    status: 'upcoming',
    as_of: '2026-11-21T02:59:20.000Z',
  },
  window: {
    open: true,
    first_tick_at: '2026-11-21T02:00:12.000Z',
    ticks_total: 55,
    books_in_ticks: 5,
    marks_available: ['t60', 't30', 't15', 't10', 't5', 't2'],
  },
  method: {
    consensus:
      'Consensus prices are 1 / probability. The probability is the median, over the books that price the complete field, of each ' +
      'book’s probabilities without margin (power), scaled once to sum to 1, as in the consensus endpoint. Now: without stale ' +
      'books. At a mark: the last price that each book had captured by then; a price first captured within a minute of the opening ' +
      'of the window counts from the opening, and a book that withdrew its prices or stopped responding no longer counts. The ' +
      'current field is used throughout, so that a scratching moves no price.',
    min_books: 2,
    signal_rule:
      'Uses move_from_t60_pct, unrounded, and the books with two or more captured prices (with_history). strong_firm: at or below ' +
      '-15, and firming at least 0.6 x with_history. firm: at or below -7, and firming at least 0.5 x with_history. drift and ' +
      'strong_drift: the same at or above 7 and 15, with drifting. insufficient: no consensus at T-60 or now, or a move of 7 ' +
      'percent or more with fewer than 3 books with history. steady: everything else.',
    attribution_floor_seconds: 30,
    attribution_excluded_books: ['betgold'],
  },
  market: {
    market_pct: { now: 81.74, t15: 81.02, t60: 81.4 },
    favourite: { now: 'plainsailing', at_t10: 'plainsailing', changed_last_10m: false },
    books_in_consensus_now: 5,
    books_at_t60: 5,
  },
  runners: [
    {
      runner_key: 'goldtrip',
      number: 1,
      name: 'Gold Trip',
      runner_ref: null,
      horse_ref: 'pe:goldtrip',
      books_at: { now: 5, t60: 5, t15: 5 },
      consensus: {
        now: 3.66,
        t60: 4.85,
        t30: 4.51,
        t15: 4.51,
        t10: 4.03,
        t5: 4.03,
        t2: 4.03,
        high: { price: 4.85, at: '2026-11-21T02:00:00.000Z' },
        low: { price: 3.66, at: '2026-11-21T02:58:40.000Z' },
      },
      move_from_t60_pct: -24.41,
      move_from_t15_pct: -18.77,
      move_last_5m_pct: -9.14,
      move_last_2m_pct: -9.14,
      ticks_last_5m: 5,
      best: { price: 4.7, bookmaker: 'tab', vs_consensus_pct: 28.3 },
      breadth: { quoting: 5, with_history: 5, firming: 5, drifting: 0, unchanged: 0 },
      first_mover: {
        status: 'attributed',
        bookmaker: 'ladbrokes_au',
        at: '2026-11-21T02:20:00.000Z',
        lead_seconds: 45,
        median_follower_lag_seconds: 120,
        followers: ['neds', 'pointsbetau', 'tab'],
        reason: null,
      },
      signal: 'strong_firm',
    },
    {
      runner_key: 'plainsailing',
      number: 2,
      name: 'Plain Sailing',
      runner_ref: null,
      horse_ref: 'pe:plainsailing',
      books_at: { now: 5, t60: 5, t15: 5 },
      consensus: {
        now: 2.25,
        t60: 2.02,
        t30: 2.09,
        t15: 2.09,
        t10: 2.17,
        t5: 2.17,
        t2: 2.17,
        high: { price: 2.26, at: '2026-11-21T02:58:30.000Z' },
        low: { price: 2.02, at: '2026-11-21T02:00:00.000Z' },
      },
      move_from_t60_pct: 11.71,
      move_from_t15_pct: 8,
      move_last_5m_pct: 3.88,
      move_last_2m_pct: 3.88,
      ticks_last_5m: 5,
      best: { price: 2.65, bookmaker: 'tab', vs_consensus_pct: 17.54 },
      breadth: { quoting: 5, with_history: 5, firming: 0, drifting: 5, unchanged: 0 },
      first_mover: {
        status: 'attributed',
        bookmaker: 'ladbrokes_au',
        at: '2026-11-21T02:48:20.000Z',
        lead_seconds: 45,
        median_follower_lag_seconds: 120,
        followers: ['neds', 'pointsbetau', 'tab'],
        reason: null,
      },
      signal: 'drift',
    },
  ],
  scratchings: exampleScratchings,
  note: null,
};
