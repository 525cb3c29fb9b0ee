// The changes between two captures of a market at a book, newest first.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { MatchMarket } from '../../../domain/sports/sports';
import { type CapturedPrices, type MatchName, type SeriesQuery, valuesOf } from './series';

export interface StoredMovement extends MatchName {
  readonly bookmaker: string;
  readonly market_type: MatchMarket;
  readonly from_recorded_at: Instant;
  readonly to_recorded_at: Instant;
  readonly before: CapturedPrices;
  readonly after: CapturedPrices;
}

export const MOST_MOVEMENTS = 1000;

const PRICES = ['home_price', 'draw_price', 'away_price', 'home_point', 'away_point'] as const;
const CAPTURED = ['captured_at', ...PRICES];
const most = (type: string): string =>
  `GREATEST(${PRICES.map((name) => `abs(${name}::${type} - before_${name}::${type})`).join(', ')})`;
const MIN = '$6::numeric';
/**
 * In decimals, as the prices are written: in binary 2.13 is less than 0.01 above 2.12. Casts are slow, so binary
 * decides when the values are not close.
 */
const MOVED = `CASE WHEN ${most('float8')} >= ${MIN}::float8 + 1e-9 THEN true WHEN ${most('float8')} < ${MIN}::float8 - 1e-9 THEN false
          ELSE ${most('numeric')} >= ${MIN} AND ${most('numeric')} > 0 END`;
const NEWEST = `ORDER BY captured_at DESC, event_id, bookmaker_key`;

// Each capture within the span after the previous one, in one pass. Only the first of a series has its predecessor
// before the span: it is looked up if it may be among the newest.
const MOVEMENTS = {
  name: 'sport-movements',
  text: `WITH spanned AS (
      SELECT e.event_id, e.home_team, e.away_team, e.commence_time, t.bookmaker_key, ${CAPTURED.map((name) => `t.${name}`).join(', ')},
        ${CAPTURED.map((name) => `lag(t.${name}) OVER series AS before_${name}`).join(', ')}
      FROM sport_events e JOIN sport_ticks t ON t.event_id = e.event_id AND t.bookmaker_key = ANY ($3) AND t.market = $2
        AND t.captured_at >= $4 AND t.captured_at < LEAST($5, e.commence_time)
      WHERE e.sport_key = $1 AND e.commence_time > $4
      WINDOW series AS (PARTITION BY t.event_id, t.bookmaker_key ORDER BY t.captured_at)),
    known AS (SELECT * FROM spanned WHERE before_captured_at IS NOT NULL AND ${MOVED} ${NEWEST} LIMIT ${MOST_MOVEMENTS}),
    firsts AS (
      SELECT event_id, home_team, away_team, commence_time, bookmaker_key, ${CAPTURED.join(', ')} FROM spanned
      WHERE before_captured_at IS NULL
        AND captured_at >= COALESCE((SELECT captured_at FROM known ${NEWEST} OFFSET ${MOST_MOVEMENTS - 1}), '-infinity')),
    followed AS (
      SELECT f.*, ${CAPTURED.map((name) => `b.${name} AS before_${name}`).join(', ')} FROM firsts f CROSS JOIN LATERAL (
        SELECT * FROM sport_ticks t WHERE t.event_id = f.event_id AND t.bookmaker_key = f.bookmaker_key AND t.market = $2 AND t.captured_at < $4
        ORDER BY t.captured_at DESC LIMIT 1) b)
    SELECT * FROM (SELECT * FROM known UNION ALL SELECT * FROM followed WHERE ${MOVED}) moved ${NEWEST} LIMIT ${MOST_MOVEMENTS}`,
};

type Row = MatchName &
  CapturedPrices & { readonly bookmaker_key: string; readonly captured_at: Instant } & {
    readonly [name in keyof CapturedPrices as `before_${name}`]: number | null;
  } & { readonly before_captured_at: Instant };

export interface MovementsQuery extends SeriesQuery {
  readonly minDelta: number;
}

/** A side that one of the two captures does not price is not compared. */
export async function readSportMovements(pool: Pool, query: MovementsQuery): Promise<readonly StoredMovement[]> {
  const { rows } = await pool.query<Row>({ ...MOVEMENTS, values: [...valuesOf(query), query.minDelta] });
  return rows.map((row) => movementOf(row, query));
}

function movementOf(row: Row, { sportKey, market }: SeriesQuery): StoredMovement {
  return {
    event_id: row.event_id,
    sport_key: sportKey,
    home_team: row.home_team,
    away_team: row.away_team,
    commence_time: row.commence_time,
    bookmaker: row.bookmaker_key,
    market_type: market,
    from_recorded_at: row.before_captured_at,
    to_recorded_at: row.captured_at,
    before: {
      home_price: row.before_home_price,
      draw_price: row.before_draw_price,
      away_price: row.before_away_price,
      home_point: row.before_home_point,
      away_point: row.before_away_point,
    },
    after: {
      home_price: row.home_price,
      draw_price: row.draw_price,
      away_price: row.away_price,
      home_point: row.home_point,
      away_point: row.away_point,
    },
  };
}
