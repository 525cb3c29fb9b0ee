// Example of the scan, for the OpenAPI document. A test holds it against its schema.
import type { Static } from '@sinclair/typebox';
import type { IntelligenceScan } from './intelligence-scan';

export const exampleIntelligenceScan: Static<typeof IntelligenceScan> = {
  as_of: '2026-11-21T02:59:20.000Z',
  window_minutes: 60,
  races_scanned: 11,
  filters: {
    window: '60m',
    min_move_pct: 7,
    min_books: 3,
    direction: 'firming',
    signal: null,
    country: ['AU'],
    categories: null,
    limit: 50,
  },
  method: {
    consensus:
      'Prices of 1 / probability: the median over the books that price the complete field of their probabilities without margin (power), scaled once to sum to 1, as the consensus endpoint has it. Now: without stale books. At a mark: the last price each book had captured by then, one first captured within a minute of the window’s opening being taken as standing at it; a book that took its prices back or fell silent no longer stands. The field is that of now throughout, so that a scratching moves nobody.',
    signal_rule:
      'By move_from_t60_pct, unrounded, and the books with two or more captured prices (with_history). strong_firm: at or below -15 and firming at least 0.6 x with_history. firm: at or below -7 and firming at least 0.5 x with_history. strong_drift and drift: the mirror, at or above 15 and 7, with drifting. insufficient: no T-60 consensus, none now, or a move of 7 percent or more on fewer than 3 books with history. steady: everything else.',
    attribution_floor_seconds: 30,
  },
  results: [
    {
      race: {
        race_id: '0d5a1f9e-6f4c-5b6e-9a53-3d9e4f6a7b10',
        venue: 'Flemington',
        race_number: 7,
        category: 'horse',
        country: 'AU',
        start_time: '2026-11-21T03:00:00.000Z',
        secs_to_jump: 40,
      },
      move_pct: -24.41,
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
  ],
  cached: false,
};
