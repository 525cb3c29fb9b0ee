// The last prices of matches before their start, per book and market.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { ClosingPrices } from '../../../domain/sports/closing';
import type { PricedMatch } from '../../../domain/sports/match';
import { lastListedAt } from '../../sports/quotes-sql';

export interface ClosingMatchesQuery {
  readonly sportKey: string;
  readonly bookmakers: readonly string[];
  /** Of starts. */
  readonly from: Instant;
  /** Exclusive. */
  readonly until: Instant;
  readonly offset: number;
}

export interface ClosedMatch extends Omit<PricedMatch, 'books'> {
  /** By book, then market. */
  readonly quotes: readonly ClosingPrices[];
}

export const CLOSING_MATCHES = 50;

const CLOSING = {
  name: 'sport-closing',
  text: `SELECT e.event_id AS "eventId", e.canonical_event_id AS "canonicalId", e.sport_key AS "sportKey", e.home_team AS "homeTeam",
      e.away_team AS "awayTeam", e.competition, e.commence_time AS "commenceTime", c.quotes
    FROM sport_events e CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('bookmaker', q.bookmaker_key, 'market', q.market, 'home', t.home_price, 'draw', t.draw_price,
          'away', t.away_price, 'homePoint', t.home_point, 'awayPoint', t.away_point, 'recordedAt', instant_text(t.captured_at),
          'lastSeenAt', instant_text(CASE WHEN l.listed_at < e.commence_time THEN l.listed_at ELSE t.captured_at END)) ORDER BY q.bookmaker_key, q.market) AS quotes
      FROM sport_quotes q LEFT JOIN sport_event_books b ON b.event_id = q.event_id AND b.bookmaker_key = q.bookmaker_key
      CROSS JOIN LATERAL (SELECT ${lastListedAt('q', 'b')} AS listed_at) l
      CROSS JOIN LATERAL (
        SELECT * FROM sport_ticks t WHERE t.event_id = q.event_id AND t.bookmaker_key = q.bookmaker_key AND t.market = q.market
          AND t.captured_at < e.commence_time AND COALESCE(t.home_price, t.draw_price, t.away_price) IS NOT NULL
        ORDER BY t.captured_at DESC LIMIT 1) t
      WHERE q.event_id = e.event_id AND q.bookmaker_key = ANY ($2)) c
    WHERE e.sport_key = $1 AND e.commence_time >= $3 AND e.commence_time < $4 AND c.quotes IS NOT NULL
    ORDER BY e.commence_time DESC, e.event_id OFFSET $5 LIMIT ${CLOSING_MATCHES}`,
};

/** By start, the latest first. A match that no book priced is left out. */
export async function readClosedMatches(pool: Pool, query: ClosingMatchesQuery): Promise<readonly ClosedMatch[]> {
  const values = [query.sportKey, query.bookmakers, query.from, query.until, query.offset];
  const { rows } = await pool.query<ClosedMatch>({ ...CLOSING, values });
  return rows;
}
