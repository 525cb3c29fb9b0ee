// The markets of a race that an audit compares.

export const AUDITED_MARKETS = ['win', 'place', 'top2', 'top3', 'top4', 'tote_win'] as const;
export type AuditedMarket = (typeof AUDITED_MARKETS)[number];

/** As a sentence names them. */
export const MARKET_NAMES: Readonly<Record<AuditedMarket, string>> = {
  win: 'win',
  place: 'place',
  top2: 'top 2',
  top3: 'top 3',
  top4: 'top 4',
  tote_win: 'tote win',
};
