// The Odds API, version 4: matches with the prices of many books, by sport, for credits. Not racing.
// Sources: its guide, error-code and rate-limit pages, its schema (November 2025), public clients, one recorded reply
// of 2022. Confidence is high for shapes, cost and headers; lower for the `error_code` of spent credits, which no page
// names. A call of `odds` costs markets times regions; lists are free, and so is an empty reply.

import type { CreditReport } from '../../domain/sports/feed-plan';
import type { FeedCall, FeedEndpoint } from '../feed';
import { numberOf, rowOf, textOf } from '../reading/read';
import type { Metered, SportsFeed } from '../sports-feed';
import { createHttp, type HttpFailure, type HttpReply } from '../transport/http';
import { feedReply, type Mapped } from '../transport/reply';
import { mapOdds, mapSports, mapStarts } from './map';

export const THE_ODDS_API = 'the_odds_api';

const MARKETS = 'h2h,spreads,totals';
const CREDITS = 3;
const NO_REPORT: CreditReport = { used: null, remaining: null, last: null };
/** A 429 can occur below the limit while the source scales up: it answers a couple of seconds later. */
const LIMITED_FOR_MS = 2000;
/** A season of college football has hundreds of matches with twelve books each. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The key is the endpoint's `settings.key`. */
export function createTheOddsApi(endpoint: FeedEndpoint, now: () => number): SportsFeed {
  const key = endpoint.settings?.key ?? '';
  const http = createHttp({ endpoint, now, maxBytes: MAX_BYTES });
  const get = async <T>(
    path: string,
    query: Readonly<Record<string, string>>,
    read: (body: unknown) => Mapped<T> | null,
    call?: FeedCall,
  ): Promise<Metered<T>> => {
    if (key === '') return { reply: withoutKey(now()), credits: NO_REPORT };
    let credits = NO_REPORT;
    const reply = await http.get({
      path: `${path}?${new URLSearchParams({ apiKey: key, ...query })}`,
      read,
      ...(call && { call }),
      codeOf: (body) => textOf(rowOf(body).error_code, 60),
      onHeaders: (header) => {
        credits = reportOf(header);
      },
    });
    return { reply: feedReply(explained(reply)), credits };
  };
  return {
    source: THE_ODDS_API,
    creditsPerCall: CREDITS,
    sports: (call) => get('/v4/sports', {}, mapSports, call),
    starts: (sport, call) =>
      get(`/v4/sports/${encodeURIComponent(sport)}/events`, { dateFormat: 'iso' }, mapStarts, call),
    odds: (sport, call) =>
      get(
        `/v4/sports/${encodeURIComponent(sport.sourceKey)}/odds`,
        { regions: 'au', markets: MARKETS, oddsFormat: 'decimal', dateFormat: 'iso' },
        (body) => mapOdds(body, sport),
        call,
      ),
  };
}

function reportOf(header: (name: string) => string | null): CreditReport {
  const read = (name: string): number | null => {
    const value = numberOf(header(`x-requests-${name}`));
    return value === null || value < 0 ? null : Math.ceil(value);
  };
  return { used: read('used'), remaining: read('remaining'), last: read('last') };
}

const withoutKey = (nowMs: number): HttpFailure => ({
  kind: 'failed',
  reason: 'blocked',
  detail: 'no key: FEED_THE_ODDS_API_KEY is not set, nothing was sent',
  retryAfterMs: null,
  observedAt: new Date(nowMs).toISOString(),
});

/** A refused key, and a key without credits left, need an operator. */
function explained<T>(reply: HttpReply<T>): HttpReply<T> {
  if (reply.kind !== 'failed') return reply;
  if (reply.status === 401) {
    return {
      ...reply,
      reason: 'blocked',
      detail: `HTTP 401 ${reply.code ?? ''}: the key is refused, or its credits are spent`,
    };
  }
  return reply.reason === 'rate_limited' ? { ...reply, retryAfterMs: reply.retryAfterMs ?? LIMITED_FOR_MS } : reply;
}
