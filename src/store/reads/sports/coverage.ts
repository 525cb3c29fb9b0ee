// Which sports each book covers: of matches of the last week and of all to come.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';

export interface SportCoverageRow {
  readonly bookmaker: string;
  readonly sportKey: string;
  /** Priced now, of matches that have not started. */
  readonly markets: number;
  /** When the book last listed a match of the sport. */
  readonly newestAt: Instant;
}

const COVERAGE = {
  name: 'sport-coverage',
  text: `SELECT b.bookmaker_key AS bookmaker, e.sport_key AS "sportKey", max(b.observed_at) AS "newestAt",
      COALESCE(sum(q.markets) FILTER (WHERE e.commence_time > $1 AND b.taken_back_at IS NULL), 0)::integer AS markets
    FROM sport_events e JOIN sport_event_books b USING (event_id)
    CROSS JOIN LATERAL (
      SELECT count(*) AS markets FROM sport_quotes q WHERE q.event_id = e.event_id AND q.bookmaker_key = b.bookmaker_key AND q.observed_at = b.observed_at
        AND COALESCE(q.home_price, q.draw_price, q.away_price) IS NOT NULL) q
    WHERE e.commence_time > $1::timestamptz - interval '7 days'
    GROUP BY 1, 2 ORDER BY 1, 2`,
};

export async function readSportCoverage(pool: Pool, nowIso: Instant): Promise<readonly SportCoverageRow[]> {
  const { rows } = await pool.query<SportCoverageRow>({ ...COVERAGE, values: [nowIso] });
  return rows;
}
