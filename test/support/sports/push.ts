// A push of one ordinary match; a test states only the values that it is about.

import { expectConforms } from '../api/conforms';
import type { Served } from '../api/served';

export interface PushedEvent {
  source_id?: string | null;
  sport_key: string;
  home_team: string;
  away_team: string;
  commence_time: string;
  competition?: string | null;
  markets: object[];
}

export const h2h = (home: string, away: string, prices: readonly (number | null)[]) => ({
  selections: [home, away, 'Draw'].slice(0, prices.length).map((name, i) => ({ name, price: prices[i]! })),
});

export const spreads = (home: string, away: string, point: number, [a, b]: readonly [number, number]) => ({
  market_type: 'spreads',
  selections: [
    { name: home, price: a, point },
    { name: away, price: b, point: -point },
  ],
});

export const totals = (point: number, [over, under]: readonly (number | null)[]) => ({
  market_type: 'totals',
  selections: [
    { name: 'Over', price: over!, point },
    { name: `Under ${point}`, price: under!, point },
  ],
});

/** `prices`: home, away and, if there are three, the draw. */
export function match(prices: readonly (number | null)[] = [1.9, 2], over: Partial<PushedEvent> = {}): PushedEvent {
  const { home_team = 'Brisbane Broncos', away_team = 'Melbourne Storm' } = over;
  return {
    sport_key: 'nrl',
    home_team,
    away_team,
    commence_time: '2026-11-21T09:00:00.000Z',
    markets: [h2h(home_team, away_team, prices)],
    ...over,
  };
}

export type Push = (book: string, events: readonly object[], observedAt?: string) => Promise<Record<string, unknown>>;

/** Pushes as the operator. Throws unless the response is a 200. */
export const pusherOf =
  ({ api }: Served, key: string): Push =>
  async (book, events, observedAt) => {
    const body = { bookmaker_key: book, events, ...(observedAt && { observed_at: observedAt }) };
    // The open connections of a server are then the pushes that it has not answered.
    const headers = { 'Content-Type': 'application/json', Connection: 'close' };
    const answer = await api.send('POST', `/v1/ingest/sports/${book}`, { key, headers, body: JSON.stringify(body) });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
    expectConforms('ingest_sport_prices', answer.body);
    return answer.body;
  };
