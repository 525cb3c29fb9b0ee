// One match in the examples of the operations on past prices.

const identity = {
  sport_key: 'nrl',
  home_team: 'Parramatta Eels',
  away_team: 'Penrith Panthers',
  commence_time: '2026-11-21T02:30:00.000Z',
};
const event_id = '2f1d0f0e-6c0a-5f3e-9a51-0c7a5f1b6d10';
const NO_LINE = { home_point: null, away_point: null };

const h2h = (home: number, away: number) => ({ home_price: home, draw_price: null, away_price: away, ...NO_LINE });

export const exampleHistory = {
  event_id,
  ...identity,
  snapshots: [
    { recorded_at: '2026-11-21T02:25:00.000Z', bookmaker: 'sportsbet', ...h2h(1.75, 2.1) },
    { recorded_at: '2026-11-21T02:10:00.000Z', bookmaker: 'sportsbet', ...h2h(1.8, 2.1) },
  ],
  truncated: false,
};

export const exampleMovement = {
  event_id,
  ...identity,
  bookmaker: 'sportsbet',
  market_type: 'h2h' as const,
  from_recorded_at: '2026-11-21T02:10:00.000Z',
  to_recorded_at: '2026-11-21T02:25:00.000Z',
  ...NO_LINE,
  changes: { home_price: { from: 1.8, to: 1.75, delta: -0.05 } },
};

const line = { home_price: 1.9, draw_price: null, away_price: 1.92, home_point: -4.5, away_point: 4.5 };
const seen = { last_seen_at: '2026-11-21T02:25:00.000Z', secs_to_start: 300, is_closing: true };

export const exampleClosing = {
  event_id,
  canonical_event_id: 'nrl:parramatta-eels:penrith-panthers:2026-11-21',
  ...identity,
  competition: 'NRL',
  bookmakers: [
    {
      key: 'sportsbet',
      h2h: { ...h2h(1.75, 2.1), recorded_at: '2026-11-21T02:25:00.000Z', ...seen },
      spreads: { ...line, recorded_at: '2026-11-21T02:10:00.000Z', ...seen },
      totals: null,
    },
  ],
  consensus: { h2h: { ...h2h(1.75, 2.1), books: 1 }, spreads: { ...line, books: 1 }, totals: null },
};
