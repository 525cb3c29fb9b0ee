// Matches that start after an instant, with everything that their books list now. One row per match and book. A price counts only if the last push that
// listed the match wrote it: one that was listed after the start confirmed nothing, also if the match is postponed afterwards.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import {
  type PricedBook,
  type PricedMarket,
  type PricedMatch,
  STALE_AFTER_SECONDS,
} from '../../../domain/sports/match';
import type { Alternate, Market, MarketPrices } from '../../../domain/sports/sports';
import { stands } from '../../sports/quotes-sql';

export interface MatchesQuery {
  /** Null: of every sport. */
  readonly sportKey: string | null;
  readonly after: Instant;
  /** Only these, and of those that were joined to another the other. Default: all. */
  readonly eventIds?: readonly string[];
  /** Whether to read the alternates of lines too. Default: no. */
  readonly alternates?: boolean;
}

type Price = number | null;
type Five = readonly [home: Price, draw: Price, away: Price, homePoint: Price, awayPoint: Price];

interface Row extends Omit<PricedMatch, 'books'>, Omit<PricedBook, 'observedAtMs' | 'markets'> {
  readonly observedAt: Instant;
  /** The prices, then those before. */
  readonly markets: readonly (readonly [Market, ...Five, sourceUpdatedAtMs: Price, before: Five | null])[];
  /** Null: not requested, or none. */
  readonly lines: readonly (readonly [Alternate, number, Price, Price, Price])[] | null;
}

const PRICES = ['home_price', 'draw_price', 'away_price', 'home_point', 'away_point'];
const pricesOf = (prefix: string): string => PRICES.map((name) => prefix + name).join(', ');
const STAMP = (of: string): string => `floor(extract(epoch FROM ${of}.source_updated_at) * 1000)`;

// Arrays without names: with objects it takes nearly twice as long.
const MATCHES = {
  name: 'sport-matches',
  text: `WITH moves AS (
      SELECT bookmaker_key, sport_key, json_build_object('offered', sum(offered), 'moved', sum(moved)) AS moves FROM sport_moves
       WHERE day > ($1::timestamptz AT TIME ZONE 'UTC')::date - 7 GROUP BY 1, 2)
    SELECT e.event_id AS "eventId", e.canonical_event_id AS "canonicalId", e.sport_key AS "sportKey", e.home_team AS "homeTeam",
      e.away_team AS "awayTeam", e.competition, e.commence_time AS "commenceTime", b.bookmaker_key AS bookmaker,
      CASE WHEN b.swapped THEN b.away_name ELSE b.home_name END AS "homeName",
      CASE WHEN b.swapped THEN b.home_name ELSE b.away_name END AS "awayName", b.observed_at AS "observedAt", m.moves, q.markets, l.lines
    FROM sport_events e JOIN sport_event_books b ON b.event_id = e.event_id AND b.taken_back_at IS NULL
    LEFT JOIN moves m ON m.bookmaker_key = b.bookmaker_key AND m.sport_key = e.sport_key
    CROSS JOIN LATERAL (
      SELECT json_agg(json_build_array(q.market, ${pricesOf('q.')}, ${STAMP('q')},
          CASE WHEN q.changed_at >= $1::timestamptz - $4 * interval '1 second'
              AND COALESCE(q.before_home_price, q.before_draw_price, q.before_away_price) IS NOT NULL
            THEN json_build_array(${pricesOf('q.before_')}) END) ORDER BY q.market) AS markets
      FROM sport_quotes q WHERE q.event_id = e.event_id AND q.bookmaker_key = b.bookmaker_key AND ${stands('q', 'b')}) q
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_array(l.market, l.point, l.home_price, l.away_price, ${STAMP('l')}) ORDER BY l.market, l.point) AS lines
      FROM sport_lines l WHERE $5 AND l.event_id = e.event_id AND l.bookmaker_key = b.bookmaker_key AND l.observed_at = b.observed_at) l ON true
    WHERE e.commence_time > $1 AND ($2::text IS NULL OR e.sport_key = $2)
      AND ($3::uuid[] IS NULL OR e.event_id = ANY (ARRAY(
        SELECT coalesce(x.joined_into, x.event_id) FROM sport_events x WHERE x.event_id = ANY ($3)))) AND q.markets IS NOT NULL
    ORDER BY e.commence_time, e.event_id, b.bookmaker_key`,
};

/** By start, then id. A match without a price is left out. */
export async function readMatches(
  pool: Pool | ClientBase,
  { sportKey, after, eventIds, alternates = false }: MatchesQuery,
): Promise<readonly PricedMatch[]> {
  const values = [after, sportKey, eventIds ?? null, STALE_AFTER_SECONDS, alternates];
  const { rows } = await pool.query<Row>({ ...MATCHES, values });
  const matches: (PricedMatch & { readonly books: PricedBook[] })[] = [];
  for (const { bookmaker, homeName, awayName, observedAt, moves, markets, lines, ...match } of rows) {
    if (matches.at(-1)?.eventId !== match.eventId) matches.push({ ...match, books: [] });
    const mains = markets.map(marketOf);
    const all = lines === null ? mains : [...mains, ...lines.map(lineOf)];
    const observedAtMs = Date.parse(observedAt);
    matches.at(-1)!.books.push({ bookmaker, homeName, awayName, observedAtMs, moves, markets: all });
  }
  return matches;
}

const pricesIn = ([home, draw, away, homePoint, awayPoint]: Five): MarketPrices => ({
  home,
  draw,
  away,
  homePoint,
  awayPoint,
});

function marketOf([
  market,
  home,
  draw,
  away,
  homePoint,
  awayPoint,
  stamp,
  before,
]: Row['markets'][number]): PricedMarket {
  const prices = { market, home, draw, away, homePoint, awayPoint };
  return { ...prices, before: before && pricesIn(before), sourceUpdatedAtMs: stamp };
}

const lineOf = ([market, point, home, away, sourceUpdatedAtMs]: NonNullable<Row['lines']>[number]): PricedMarket => ({
  market,
  home,
  draw: null,
  away,
  homePoint: point,
  awayPoint: market === 'alternate_totals' ? point : 0 - point,
  sourceUpdatedAtMs,
});

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
