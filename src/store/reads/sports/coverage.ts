// Which sports each book covers: for matches of the last week and all upcoming ones.
import type { Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import { stands } from '../../sports/quotes-sql';

export interface SportCoverageRow {
  readonly bookmaker: string;
  readonly sportKey: string;
  /** Now priced, among matches that have not started. */
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
      SELECT count(*) AS markets FROM sport_quotes q WHERE q.event_id = e.event_id AND q.bookmaker_key = b.bookmaker_key AND ${stands('q', 'b')}) q
    WHERE e.commence_time > $1::timestamptz - interval '7 days'
    GROUP BY 1, 2 ORDER BY 1, 2`,
};

export async function readSportCoverage(pool: Pool, nowIso: Instant): Promise<readonly SportCoverageRow[]> {
  const { rows } = await pool.query<SportCoverageRow>({ ...COVERAGE, values: [nowIso] });
  return rows;
}

export interface SportMarketCounts {
  readonly ok: number;
  /** Older than three quarters of the age at which a price is stale. */
  readonly warn: number;
  readonly stale: number;
}

const COUNTS = {
  name: 'sport-market-counts',
  text: `
    SELECT count(*) FILTER (WHERE age <= 0.75 * $3)::integer AS ok,
           count(*) FILTER (WHERE age > 0.75 * $3 AND age <= $3)::integer AS warn,
           count(*) FILTER (WHERE age > $3)::integer AS stale
      FROM (
        SELECT extract(epoch FROM $2::timestamptz - b.observed_at) AS age
          FROM sport_event_books b JOIN sport_events e USING (event_id)
          JOIN sport_quotes q ON q.event_id = b.event_id AND q.bookmaker_key = b.bookmaker_key AND ${stands('q', 'b')}
         WHERE e.commence_time > $2 AND b.taken_back_at IS NULL AND b.bookmaker_key = ANY ($1)) priced`,
};

/** Priced markets of matches that have not started, by the age of their prices. */
export async function readSportMarketCounts(
  pool: Pool,
  bookmakers: readonly string[],
  nowIso: Instant,
  staleAfterSeconds: number,
): Promise<SportMarketCounts> {
  const { rows } = await pool.query<SportMarketCounts>({ ...COUNTS, values: [bookmakers, nowIso, staleAfterSeconds] });
  return rows[0]!;
}
