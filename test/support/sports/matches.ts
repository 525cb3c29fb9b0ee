// Matches as the store returns them, for pure tests.
import type { PricedBook, PricedMarket, PricedMatch } from '../../../src/domain/sports/match';
import type { MarketPrices, MatchMarket, OfferedMarket } from '../../../src/domain/sports/sports';

export const NOW_MS = Date.parse('2026-11-21T03:00:00.000Z');

const NONE: MarketPrices = { home: null, draw: null, away: null, homePoint: null, awayPoint: null };

export const priced = (market: MatchMarket, prices: Partial<MarketPrices>) => ({ market, ...NONE, ...prices });

export const pricedLine = (market: OfferedMarket, prices: Partial<MarketPrices>): PricedMarket => ({
  market,
  ...NONE,
  ...prices,
});

export const book = (
  bookmaker: string,
  markets: readonly PricedMarket[],
  over: Partial<PricedBook> = {},
): PricedBook => ({
  bookmaker,
  homeName: 'Broncos',
  awayName: 'Storm',
  observedAtMs: NOW_MS - 60_000,
  markets,
  ...over,
});

export const pricedMatch = (books: readonly PricedBook[], over: Partial<PricedMatch> = {}): PricedMatch => ({
  eventId: 'e1',
  canonicalId: 'nrl:brisbane-broncos:melbourne-storm:2026-11-21',
  sportKey: 'nrl',
  homeTeam: 'Brisbane Broncos',
  awayTeam: 'Melbourne Storm',
  competition: null,
  commenceTime: '2026-11-21T09:00:00.000Z',
  books,
  ...over,
});
