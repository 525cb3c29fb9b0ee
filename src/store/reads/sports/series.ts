// Captured prices of matches: every change of a market at a book. Changes between two of them are in `movements.ts`.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { MatchMarket } from '../../../domain/sports/sports';

/** Null prices: the market was withdrawn. */
export interface CapturedPrices {
  readonly home_price: number | null;
  readonly draw_price: number | null;
  readonly away_price: number | null;
  readonly home_point: number | null;
  readonly away_point: number | null;
}

export interface MatchName {
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
  readonly market: MatchMarket;
  readonly bookmakers: readonly string[];
  readonly from: Instant;
  /** Exclusive. */
  readonly until: Instant;
}

export interface HistoryQuery extends SeriesQuery {
  readonly offset: number;
  /** Only these matches. Default: all. */
  readonly eventIds?: readonly string[];
}

/** Matches of a page of history, and the newest changes of each. */
export const HISTORY_MATCHES = 25;
export const MOST_SNAPSHOTS = 2000;
/** A page ends with the match in which it reaches this many: some 2 MB, and less than `MOST_SNAPSHOTS` more. */
export const PAGE_SNAPSHOTS = 10_000;

const SPANNED = `FROM sport_ticks t WHERE t.event_id = e.event_id AND t.bookmaker_key = ANY ($3) AND t.market = $2
          AND t.captured_at >= $4 AND t.captured_at < LEAST($5, e.commence_time)`;
// Nothing is read from a match's start on, which may have been moved to before the captures; older matches are skipped.
// Changes are counted first, so that neither the server nor this process ever has more than a page of them.
const HISTORY = {
  name: 'sport-history',
  text: `WITH page AS (
      SELECT e.*, c.changes FROM sport_events e CROSS JOIN LATERAL (
        SELECT count(*) AS changes FROM (SELECT ${SPANNED} LIMIT ${MOST_SNAPSHOTS + 1}) t) c
      WHERE e.sport_key = $1 AND e.commence_time > $4 AND e.first_seen_at < $5 AND c.changes > 0
        AND ($7::uuid[] IS NULL OR e.event_id = ANY ($7))
      ORDER BY e.commence_time DESC, e.event_id OFFSET $6 LIMIT ${HISTORY_MATCHES}),
    counted AS (
      SELECT *, sum(LEAST(changes, ${MOST_SNAPSHOTS})) OVER (ORDER BY commence_time DESC, event_id ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS earlier
      FROM page)
    SELECT e.event_id, e.sport_key, e.home_team, e.away_team, e.commence_time, s.snapshots, e.changes > ${MOST_SNAPSHOTS} AS truncated
    FROM counted e CROSS JOIN LATERAL (
      SELECT json_agg(t) AS snapshots FROM (
        SELECT instant_text(captured_at) AS recorded_at, bookmaker_key AS bookmaker, home_price, draw_price, away_price, home_point, away_point
        ${SPANNED}
        ORDER BY captured_at DESC, bookmaker_key LIMIT ${MOST_SNAPSHOTS}) t) s
    WHERE COALESCE(e.earlier, 0) < ${PAGE_SNAPSHOTS}
    ORDER BY e.commence_time DESC, e.event_id`,
};

/** By start, the latest first; the snapshots of each newest first. */
export async function readSportHistory(pool: Pool, query: HistoryQuery): Promise<readonly MatchHistory[]> {
  const values = [...valuesOf(query), query.offset, query.eventIds ?? null];
  const { rows } = await pool.query<MatchHistory>({ ...HISTORY, values });
  return rows;
}

export const valuesOf = ({ sportKey, market, bookmakers, from, until }: SeriesQuery) => [
  sportKey,
  market,
  bookmakers,
  from,
  until,
];
