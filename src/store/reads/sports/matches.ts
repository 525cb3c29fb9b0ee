// Matches that start after an instant, with everything that their books list now. A price counts only if the last push
// that listed the match wrote it: a push that listed it after the start confirmed nothing, even if the match is
// postponed afterwards.
import type { ClientBase, Pool } from 'pg';
import type { Instant } from '../../../domain/race/race';
import type { PricedBook, PricedMarket, PricedMatch } from '../../../domain/sports/match';
import type { Alternate, MarketPrices, MatchMarket } from '../../../domain/sports/sports';
import { stands } from '../../sports/quotes-sql';

export interface MatchesQuery {
  /** Null: of every sport. */
  readonly sportKey: string | null;
  readonly after: Instant;
  /** Only these, and for joined matches the other one. Default: all. */
  readonly eventIds?: readonly string[];
  /** Whether to read the alternates of lines too. Default: no. */
  readonly alternates?: boolean;
}

/** A match without its books. */
type MatchHead = Omit<PricedMatch, 'books'>;

/** A match with one of its books. */
export interface Listing {
  readonly match: MatchHead;
  readonly book: PricedBook;
}

/** Everything that a book lists in one sport. Two of one `level` are the same. */
export interface ListedSport {
  readonly key: string;
  readonly level: string;
  /** Null: its level is known. */
  readonly listings: readonly Listing[] | null;
}

type Price = number | null;
type Five = readonly [home: Price, draw: Price, away: Price, homePoint: Price, awayPoint: Price];

/** The prices, then the previous ones, and when those ended. */
type MarketTuple = readonly [MatchMarket, ...Five, sourceUpdatedAtMs: Price, before: Five | null, changedAtMs: number];
type LineTuple = readonly [Alternate, number, Price, Price, Price];
type Tuple = readonly [
  eventId: string,
  canonicalId: string,
  homeTeam: string,
  awayTeam: string,
  competition: string | null,
  commenceTime: string,
  homeName: string,
  awayName: string,
  observedAtMs: number,
  markets: readonly MarketTuple[],
  /** Null: not requested, or none. */
  lines: readonly LineTuple[] | null,
];

interface Row {
  readonly sport: string;
  readonly book: string;
  readonly level: string;
  readonly moves: PricedBook['moves'];
  readonly isKnown: boolean;
  readonly listings: readonly Tuple[] | null;
}

const PRICES = ['home_price', 'draw_price', 'away_price', 'home_point', 'away_point'];
const pricesOf = (prefix: string): string => PRICES.map((name) => prefix + name).join(', ');
const MS = (of: string): string => `floor(extract(epoch FROM ${of}) * 1000)::float8`;

// One statement, and so one moment: levels, and the data of unknown ones. Arrays without names: objects take nearly
// twice as long.
const LISTED = {
  name: 'listed-sports',
  text: `WITH moves AS (
      SELECT bookmaker_key, sport_key, json_build_object('offered', sum(offered), 'moved', sum(moved)) AS moves FROM sport_moves
      WHERE day > ($1::timestamptz AT TIME ZONE 'UTC')::date - 7 GROUP BY 1, 2),
    levels AS MATERIALIZED (
      SELECT sport_key, bookmaker_key, level, level::text = $4::jsonb ->> concat_ws(' ', sport_key, bookmaker_key) AS is_known
      FROM sport_levels WHERE $2::text IS NULL OR sport_key = $2),
    changed AS (
      SELECT e.sport_key, b.bookmaker_key, json_agg(json_build_array(e.event_id, e.canonical_event_id, e.home_team, e.away_team, e.competition,
        instant_text(e.commence_time), CASE WHEN b.swapped THEN b.away_name ELSE b.home_name END,
        CASE WHEN b.swapped THEN b.home_name ELSE b.away_name END, ${MS('b.observed_at')}, q.markets, l.lines)) AS listings
      FROM sport_events e JOIN sport_event_books b ON b.event_id = e.event_id AND b.taken_back_at IS NULL
      JOIN levels v ON v.sport_key = e.sport_key AND v.bookmaker_key = b.bookmaker_key AND v.is_known IS NOT TRUE
      CROSS JOIN LATERAL (
        SELECT json_agg(json_build_array(q.market, ${pricesOf('q.')}, ${MS('q.source_updated_at')},
            CASE WHEN COALESCE(q.before_home_price, q.before_draw_price, q.before_away_price) IS NOT NULL
              THEN json_build_array(${pricesOf('q.before_')}) END, ${MS('q.changed_at')}) ORDER BY q.market) AS markets
        FROM sport_quotes q WHERE q.event_id = e.event_id AND q.bookmaker_key = b.bookmaker_key AND ${stands('q', 'b')}) q
      LEFT JOIN LATERAL (
        SELECT json_agg(json_build_array(l.market, l.point, l.home_price, l.away_price, ${MS('l.source_updated_at')})
            ORDER BY l.market, l.point) AS lines
        FROM sport_lines l WHERE $5 AND l.event_id = e.event_id AND l.bookmaker_key = b.bookmaker_key AND l.observed_at = b.observed_at) l ON true
      WHERE e.commence_time > $1 AND ($2::text IS NULL OR e.sport_key = $2)
        AND ($3::uuid[] IS NULL OR e.event_id = ANY (ARRAY(
          SELECT coalesce(x.joined_into, x.event_id) FROM sport_events x WHERE x.event_id = ANY ($3))))
        AND q.markets IS NOT NULL GROUP BY 1, 2)
    SELECT sport_key AS sport, bookmaker_key AS book, level, coalesce(is_known, false) AS "isKnown", moves, listings
    FROM levels LEFT JOIN changed USING (sport_key, bookmaker_key) LEFT JOIN moves USING (sport_key, bookmaker_key)`,
};

/** At one moment. `known`: levels by key. */
export async function readListed(
  pool: Pool | ClientBase,
  { sportKey, after, eventIds, alternates = false }: MatchesQuery,
  known: Readonly<Record<string, string>>,
): Promise<readonly ListedSport[]> {
  const values = [after, sportKey, eventIds ?? null, JSON.stringify(known), alternates];
  const { rows } = await pool.query<Row>({ ...LISTED, values });
  return rows.map((row) => {
    const { sport, book, level, isKnown, listings } = row;
    return {
      key: `${sport} ${book}`,
      level,
      listings: isKnown ? null : (listings ?? []).map((one) => listingOf(row, one)),
    };
  });
}

function listingOf({ sport, book, moves }: Row, tuple: Tuple): Listing {
  const [eventId, canonicalId, homeTeam, awayTeam, competition, commenceTime, ...ofBook] = tuple;
  const [homeName, awayName, observedAtMs, markets, lines] = ofBook;
  const mains = markets.map(marketOf);
  return {
    match: { eventId, canonicalId, sportKey: sport, homeTeam, awayTeam, competition, commenceTime },
    book: {
      bookmaker: book,
      homeName,
      awayName,
      observedAtMs,
      moves,
      markets: lines === null ? mains : [...mains, ...lines.map(lineOf)],
    },
  };
}

/** By start, then id; the books of each by key. */
export function matchesOf(listings: Iterable<Listing>): readonly PricedMatch[] {
  const matches = new Map<string, PricedMatch & { readonly books: PricedBook[] }>();
  for (const { match, book } of listings) {
    const found = matches.get(match.eventId);
    if (found) found.books.push(book);
    else matches.set(match.eventId, { ...match, books: [book] });
  }
  const sorted = [...matches.values()].sort(
    (a, b) => order(a.commenceTime, b.commenceTime) || order(a.eventId, b.eventId),
  );
  for (const { books } of sorted) books.sort((a, b) => order(a.bookmaker, b.bookmaker));
  return sorted;
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** By start, then id. A match without a price is left out. */
export async function readMatches(pool: Pool | ClientBase, query: MatchesQuery): Promise<readonly PricedMatch[]> {
  const listed = await readListed(pool, query, {});
  return matchesOf(listed.flatMap(({ listings }) => listings ?? []));
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
  sourceUpdatedAtMs,
  before,
  changedAtMs,
]: MarketTuple): PricedMarket {
  const prices = { market, home, draw, away, homePoint, awayPoint, sourceUpdatedAtMs };
  return { ...prices, before: before && { ...pricesIn(before), endedAtMs: changedAtMs } };
}

const lineOf = ([market, point, home, away, sourceUpdatedAtMs]: LineTuple): PricedMarket => ({
  market,
  home,
  draw: null,
  away,
  homePoint: point,
  awayPoint: market === 'alternate_totals' ? point : 0 - point,
  sourceUpdatedAtMs,
});

// From one name to the next by the index: a sport has many matches in few competitions.
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
