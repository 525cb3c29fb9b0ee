// What changed between two captures of a market at a book, newest first.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { Market } from '../../../domain/sports/sports';
import { type CapturedPrices, type MatchName, type SeriesQuery, valuesOf } from './series';

export interface Movement extends MatchName {
  readonly bookmaker: string;
  readonly market_type: Market;
  readonly from_recorded_at: Instant;
  readonly to_recorded_at: Instant;
  readonly before: CapturedPrices;
  readonly after: CapturedPrices;
}

export const MOST_MOVEMENTS = 1000;

const PRICES = ['home_price', 'draw_price', 'away_price', 'home_point', 'away_point'] as const;
const CAPTURED = `captured_at, bookmaker_key, ${PRICES.join(', ')}`;
const most = (type: string): string =>
  `GREATEST(${PRICES.map((name) => `abs(${name}::${type} - before_${name}::${type})`).join(', ')})`;
const MIN = '$6::numeric';
/** In decimals, as the prices are written: in binary 2.13 is less than 0.01 above 2.12. Casts are slow, so that binary decides what is not close. */
const MOVED = `CASE WHEN ${most('float8')} >= ${MIN}::float8 + 1e-9 THEN true WHEN ${most('float8')} < ${MIN}::float8 - 1e-9 THEN false
          ELSE ${most('numeric')} >= ${MIN} AND ${most('numeric')} > 0 END`;
const object = (prefix: string): string =>
  `json_build_object(${PRICES.map((name) => `'${name}', ${prefix}${name}`).join(', ')})`;

// Of each market at each book the captures within the span, in their order, behind the last one before it.
const MOVEMENTS = {
  name: 'sport-movements',
  text: `WITH newest AS (
      SELECT e.event_id, e.sport_key, e.home_team, e.away_team, e.commence_time, market, c.*
      FROM sport_events e JOIN (SELECT event_id, bookmaker_key, market FROM sport_quotes) q
        ON q.event_id = e.event_id AND q.bookmaker_key = ANY ($3) AND q.market = $2
      CROSS JOIN LATERAL (
        SELECT *, lag(captured_at) OVER series AS before_at, ${PRICES.map((name) => `lag(${name}) OVER series AS before_${name}`).join(', ')}
        FROM (
          SELECT ${CAPTURED} FROM sport_ticks t WHERE t.event_id = q.event_id AND t.bookmaker_key = q.bookmaker_key AND t.market = q.market
            AND t.captured_at >= $4 AND t.captured_at < LEAST($5, e.commence_time)
          UNION ALL
          (SELECT ${CAPTURED} FROM sport_ticks t WHERE t.event_id = q.event_id AND t.bookmaker_key = q.bookmaker_key AND t.market = q.market
             AND t.captured_at < $4 ORDER BY captured_at DESC LIMIT 1)) ticks
        WINDOW series AS (ORDER BY captured_at)) c
      WHERE e.sport_key = $1 AND e.commence_time > $4 AND ${MOVED}
      ORDER BY c.captured_at DESC, e.event_id, c.bookmaker_key LIMIT ${MOST_MOVEMENTS})
    SELECT event_id, sport_key, home_team, away_team, commence_time, bookmaker_key AS bookmaker, market AS market_type, before_at AS from_recorded_at,
      captured_at AS to_recorded_at, ${object('before_')} AS before, ${object('')} AS after
    FROM newest ORDER BY captured_at DESC, event_id, bookmaker_key`,
};

/** A side that one of the two captures does not price is not compared. */
export async function readSportMovements(
  pool: Pool,
  query: SeriesQuery & { readonly minDelta: number },
): Promise<readonly Movement[]> {
  const { rows } = await pool.query<Movement>({ ...MOVEMENTS, values: [...valuesOf(query), query.minDelta] });
  return rows;
}
