// One match in the examples of the operations on sports.

const freshness = { data_age_seconds: 412, freshest_age_seconds: 96, stale: false, stale_bookmakers: [] };
const quality = { score: 100, status: 'ok' as const, issues: [], source_count: 2, stale_after_seconds: 1800 };
const newer = { last_update: '2026-11-21T02:58:24.000Z', age_seconds: 96, stale: false };
const older = { last_update: '2026-11-21T02:53:08.000Z', age_seconds: 412, stale: false };

const EVENT_ID = '4be4a572-bca6-5a79-b1a6-c1b5b130df91';
const identity = {
  sport_key: 'nrl',
  home_team: 'Brisbane Broncos',
  away_team: 'Melbourne Storm',
  commence_time: '2026-11-21T09:00:00.000Z',
};

const h2h = (home: string, away: string, ageSeconds: number, prices: readonly [number, number]) => ({
  key: 'h2h' as const,
  quality: { ...quality, age_seconds: ageSeconds },
  outcomes: [home, away].map((name, i) => ({ name, price: prices[i]! })),
});

export const exampleSportEvent = {
  id: EVENT_ID,
  canonical_event_id: 'nrl:brisbane-broncos:melbourne-storm:2026-11-21',
  sport_title: 'NRL',
  ...identity,
  competition: null,
  bookmakers: [
    {
      key: 'sportsbet',
      title: 'Sportsbet',
      ...newer,
      quality: { ...quality, age_seconds: 96 },
      markets: [h2h('Brisbane Broncos', 'Melbourne Storm', 96, [1.91, 1.95])],
    },
    {
      key: 'tab',
      title: 'TAB',
      ...older,
      quality: { ...quality, age_seconds: 412 },
      markets: [h2h('Broncos', 'Storm', 412, [1.87, 2.12])],
    },
  ],
  odds_format: 'decimal' as const,
  fetched_at: '2026-11-21T02:58:24.000Z',
  ...freshness,
  cached: true,
  cache_age_seconds: 12,
  data_quality: { score: 100, status: 'ok' as const, source_count: 2, bookmaker_count: 2 },
};

const prices = (one: number, other: number, tabFirst = false) => {
  const all = [
    { bookmaker: 'sportsbet', price: one, suspect: false, suspect_reason: null, ...newer },
    { bookmaker: 'tab', price: other, suspect: false, suspect_reason: null, ...older },
  ];
  return tabFirst ? all.reverse() : all;
};

const confidence = (score: number, distance: number) => ({
  suspect_reason: null,
  confidence: score,
  confidence_parts: {
    books: 2,
    legs: [
      { bookmaker: 'sportsbet', age_seconds: 96, distance, moved_share: 0.0131 },
      { bookmaker: 'tab', age_seconds: 412, distance, moved_share: 0.0214 },
    ],
  },
});

const home = {
  name: 'Brisbane Broncos',
  best_price: 1.91,
  best_bookmaker: 'sportsbet',
  all_prices: prices(1.91, 1.87),
};
const away = {
  name: 'Melbourne Storm',
  best_price: 2.12,
  best_bookmaker: 'tab',
  all_prices: prices(1.95, 2.12, true),
};
const averages = [
  { avg_price: 1.89, overlay_pct: 1.06 },
  { avg_price: 2.04, overlay_pct: 4.18 },
];

export const exampleBestOdds = {
  id: EVENT_ID,
  ...identity,
  selections: [home, away],
  arb_exists: true,
  arb_profit_pct: 0.47,
  ...confidence(0.38, 0.0261),
  ...freshness,
};

export const exampleBestPrices = {
  id: EVENT_ID,
  ...identity,
  selections: [
    { ...home, worst_price: 1.87, price_spread: 0.04, ...averages[0]! },
    { ...away, worst_price: 1.95, price_spread: 0.17, ...averages[1]! },
  ],
  ...freshness,
};

export const exampleArb = {
  event_id: EVENT_ID,
  ...identity,
  is_arb: true,
  arb_pct: 0.47,
  ...confidence(0.38, 0.0261),
  optimal_stakes: [
    { name: 'Brisbane Broncos', bookmaker: 'sportsbet', price: 1.91, stake: 52.6055, profit_if_wins: 0.47 },
    { name: 'Melbourne Storm', bookmaker: 'tab', price: 2.12, stake: 47.3945, profit_if_wins: 0.47 },
  ],
  max_overlay_pct: 4.18,
  selections: [
    { ...home, ...averages[0]! },
    { ...away, ...averages[1]! },
  ],
  ...freshness,
};

export const exampleLines = {
  event_id: EVENT_ID,
  ...identity,
  market_type: 'spreads' as const,
  opportunities: [
    {
      side_a: {
        name: 'Brisbane Broncos',
        point: -2.5,
        price: 2.02,
        suspect: false,
        suspect_reason: null,
        bookmaker: 'sportsbet',
        ...newer,
      },
      side_b: {
        name: 'Melbourne Storm',
        point: 3.5,
        price: 2,
        suspect: false,
        suspect_reason: null,
        bookmaker: 'tab',
        ...older,
      },
      is_arb: true,
      is_middle: true,
      arb_pct: 0.49,
      ...confidence(0.25, 0.0827),
      optimal_stakes: [
        { name: 'Brisbane Broncos', point: -2.5, bookmaker: 'sportsbet', stake: 49.7512, profit_if_wins: 0.49 },
        { name: 'Melbourne Storm', point: 3.5, bookmaker: 'tab', stake: 50.2488, profit_if_wins: 0.49 },
      ],
    },
  ],
  ...freshness,
};
