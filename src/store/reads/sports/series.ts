// Captured prices of matches: every change of a market at a book, and the changes between two of them.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { Market } from '../../../domain/sports/sports';

/** Null prices: the market was taken back. */
export interface CapturedPrices {
  readonly home_price: number | null;
  readonly draw_price: number | null;
  readonly away_price: number | null;
  readonly home_point: number | null;
  readonly away_point: number | null;
}

interface MatchName {
  readonly event_id: string;
  readonly sport_key: string;
  readonly home_team: string;
  readonly away_team: string;
  readonly commence_time: Instant;
}

interface Snapshot extends CapturedPrices {
  readonly recorded_at: Instant;
  readonly bookmaker: string;
}

export interface MatchHistory extends MatchName {
  readonly snapshots: readonly Snapshot[];
  readonly truncated: boolean;
}

export interface SeriesQuery {
  readonly sportKey: string;
  readonly market: Market;
  readonly bookmakers: readonly string[];
  readonly from: Instant;
  /** Exclusive. */
  readonly until: Instant;
}

/** Matches of a page of history, and the newest changes of each. */
export const HISTORY_MATCHES = 25;
export const MOST_SNAPSHOTS = 2000;
export const MOST_MOVEMENTS = 1000;

// Nothing is read from a match's start on, which may have been moved to before what was captured; older matches are not looked at.
const HISTORY = {
  name: 'sport-history',
  text: `SELECT e.event_id, e.sport_key, e.home_team, e.away_team, e.commence_time, s.snapshots
    FROM sport_events e CROSS JOIN LATERAL (
      SELECT json_agg(t) AS snapshots FROM (
        SELECT instant_text(captured_at) AS recorded_at, bookmaker_key AS bookmaker, home_price, draw_price, away_price, home_point, away_point
        FROM sport_ticks t WHERE t.event_id = e.event_id AND t.bookmaker_key = ANY ($3) AND t.market = $2
          AND t.captured_at >= $4 AND t.captured_at < LEAST($5, e.commence_time)
        ORDER BY captured_at DESC, bookmaker_key LIMIT ${MOST_SNAPSHOTS + 1}) t) s
    WHERE e.sport_key = $1 AND e.commence_time > $4 AND e.first_seen_at < $5 AND s.snapshots IS NOT NULL
    ORDER BY e.commence_time DESC, e.event_id OFFSET $6 LIMIT ${HISTORY_MATCHES}`,
};

/** By start, the latest first; the snapshots of each newest first. */
export async function readSportHistory(
  pool: Pool,
  query: SeriesQuery & { readonly offset: number },
): Promise<readonly MatchHistory[]> {
  const { rows } = await pool.query<MatchHistory>({ ...HISTORY, values: [...valuesOf(query), query.offset] });
  return rows.map((row) => ({
    ...row,
    snapshots: row.snapshots.slice(0, MOST_SNAPSHOTS),
    truncated: row.snapshots.length > MOST_SNAPSHOTS,
  }));
}

const valuesOf = ({ sportKey, market, bookmakers, from, until }: SeriesQuery) => [
  ...[sportKey, market, bookmakers, from, until],
];

export interface Movement extends MatchName {
  readonly bookmaker: string;
  readonly market_type: Market;
  readonly from_recorded_at: Instant;
  readonly to_recorded_at: Instant;
  readonly before: CapturedPrices;
  readonly after: CapturedPrices;
}

const PRICES = ['home_price', 'draw_price', 'away_price', 'home_point', 'away_point'] as const;
const object = (of: string): string =>
  `json_build_object(${PRICES.map((name) => `'${name}', ${of}.${name}`).join(', ')})`;
/** In decimals, as the prices are written: in binary 2.13 is less than 0.01 above 2.12. */
const moved = PRICES.map((name) => `abs(t.${name}::numeric - p.${name}::numeric)`).join(', ');

const MOVEMENTS = {
  name: 'sport-movements',
  text: `SELECT e.event_id, e.sport_key, e.home_team, e.away_team, e.commence_time, t.bookmaker_key AS bookmaker, t.market AS market_type,
      p.captured_at AS from_recorded_at, t.captured_at AS to_recorded_at, ${object('p')} AS before, ${object('t')} AS after
    FROM sport_events e
    JOIN sport_ticks t ON t.event_id = e.event_id AND t.bookmaker_key = ANY ($3) AND t.market = $2
      AND t.captured_at >= $4 AND t.captured_at < $5 AND t.captured_at < e.commence_time
    CROSS JOIN LATERAL (
      SELECT * FROM sport_ticks p WHERE p.event_id = t.event_id AND p.bookmaker_key = t.bookmaker_key AND p.market = t.market
        AND p.captured_at < t.captured_at ORDER BY p.captured_at DESC LIMIT 1) p
    WHERE e.sport_key = $1 AND e.commence_time > $4 AND GREATEST(${moved}) >= $6::numeric AND GREATEST(${moved}) > 0
    ORDER BY t.captured_at DESC, e.event_id, t.bookmaker_key LIMIT ${MOST_MOVEMENTS}`,
};

/** Newest first: what changed between two captures in which the side was priced. */
export async function readSportMovements(
  pool: Pool,
  query: SeriesQuery & { readonly minDelta: number },
): Promise<readonly Movement[]> {
  const { rows } = await pool.query<Movement>({ ...MOVEMENTS, values: [...valuesOf(query), query.minDelta] });
  return rows;
}
