// Matches that start after an instant, with everything that their books list now. One row per match and book. A price counts only if the last push that
// listed the match wrote it: one that was listed after the start confirmed nothing, also if the match is postponed afterwards.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { PricedBook, PricedMarket, PricedMatch } from '../../../domain/sports/match';

export interface MatchesQuery {
  /** Null: of every sport. */
  readonly sportKey: string | null;
  readonly after: Instant;
  /** Only these, and of those that were joined to another the other. Default: all. */
  readonly eventIds?: readonly string[];
}

interface Row extends Omit<PricedMatch, 'books'> {
  readonly bookmaker: string;
  readonly homeName: string;
  readonly awayName: string;
  readonly observedAt: Instant;
  readonly markets: readonly PricedMarket[];
}

const MATCHES = {
  name: 'sport-matches',
  text: `SELECT e.event_id AS "eventId", e.canonical_event_id AS "canonicalId", e.sport_key AS "sportKey", e.home_team AS "homeTeam",
      e.away_team AS "awayTeam", e.competition, e.commence_time AS "commenceTime", b.bookmaker_key AS bookmaker,
      CASE WHEN b.swapped THEN b.away_name ELSE b.home_name END AS "homeName",
      CASE WHEN b.swapped THEN b.home_name ELSE b.away_name END AS "awayName", b.observed_at AS "observedAt", q.markets
    FROM sport_events e JOIN sport_event_books b ON b.event_id = e.event_id AND b.taken_back_at IS NULL
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_object('market', q.market, 'home', q.home_price, 'draw', q.draw_price, 'away', q.away_price,
          'homePoint', q.home_point, 'awayPoint', q.away_point,
          'sourceUpdatedAtMs', floor(extract(epoch FROM q.source_updated_at) * 1000)) ORDER BY q.market) AS markets
      FROM sport_quotes q WHERE q.event_id = e.event_id AND q.bookmaker_key = b.bookmaker_key AND q.observed_at = b.observed_at
        AND COALESCE(q.home_price, q.draw_price, q.away_price) IS NOT NULL) q
    WHERE e.commence_time > $1 AND ($2::text IS NULL OR e.sport_key = $2)
      AND ($3::uuid[] IS NULL OR e.event_id = ANY (ARRAY(
        SELECT coalesce(x.joined_into, x.event_id) FROM sport_events x WHERE x.event_id = ANY ($3)))) AND q.markets IS NOT NULL
    ORDER BY e.commence_time, e.event_id, b.bookmaker_key`,
};

/** By start, then id. A match without a price is left out. */
export async function readMatches(
  pool: Pool | ClientBase,
  { sportKey, after, eventIds }: MatchesQuery,
): Promise<readonly PricedMatch[]> {
  const { rows } = await pool.query<Row>({ ...MATCHES, values: [after, sportKey, eventIds ?? null] });
  const matches: (PricedMatch & { readonly books: PricedBook[] })[] = [];
  for (const { bookmaker, homeName, awayName, observedAt, markets, ...match } of rows) {
    if (matches.at(-1)?.eventId !== match.eventId) matches.push({ ...match, books: [] });
    matches.at(-1)!.books.push({ bookmaker, homeName, awayName, observedAtMs: Date.parse(observedAt), markets });
  }
  return matches;
}

// From one name to the next by the index: a sport has many matches of few competitions.
const COMPETITIONS = {
  name: 'sport-competitions',
  text: `WITH RECURSIVE named AS (
      SELECT min(competition) AS competition FROM sport_events WHERE sport_key = $1
      UNION ALL
      SELECT (SELECT min(e.competition) FROM sport_events e WHERE e.sport_key = $1 AND e.competition > named.competition)
        FROM named WHERE named.competition IS NOT NULL)
    SELECT competition FROM named WHERE competition IS NOT NULL ORDER BY 1`,
};

/** Every competition that a book ever named for a match of this sport. */
export async function readCompetitions(pool: Pool, sportKey: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ competition: string }>({ ...COMPETITIONS, values: [sportKey] });
  return rows.map(({ competition }) => competition);
}
