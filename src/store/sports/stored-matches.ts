// The stored matches of pairs of teams, with the evidence by which a book's row is placed (D66).
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { StoredEvent } from '../../domain/sports/identity/listed-event';
import type { pairsOf } from '../../domain/sports/identity/place-events';
import { STALE_AFTER_SECONDS } from '../../domain/sports/match';

interface StoredQuery {
  readonly bookmakerKey: string;
  readonly pairs: ReturnType<typeof pairsOf>;
  /** Of the book's list: prices of others that were stale by then do not count. */
  readonly observedAt: Instant;
  /** Which lists the rows; null: the book itself. A feed's ids are not the book's own. */
  readonly feed: string | null;
}

/** `s`: the match itself, or that to which an operator joined it. */
const OF_PAIRS = `
  SELECT s.event_id AS "eventId", e.canonical_event_id AS "canonicalId", e.sport_key AS "sportKey",
         CASE WHEN e.joined_turned THEN e.away_key ELSE e.home_key END AS "homeKey",
         CASE WHEN e.joined_turned THEN e.home_key ELSE e.away_key END AS "awayKey",
         s.commence_time AS "commenceTime", s.competition,
         EXISTS (SELECT FROM sport_events j WHERE j.joined_into = s.event_id) AS "isRuled",
         ARRAY(SELECT p.source_event_id FROM sport_partings p WHERE p.event_id = s.event_id AND p.bookmaker_key = $1) AS "partedIds"
    FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[], $4::text[]) AS n (sport, home, away)) n
    JOIN sport_events e ON e.sport_key = n.sport AND e.home_key = n.home AND e.away_key = n.away
    JOIN sport_events s ON s.event_id = coalesce(e.joined_into, e.event_id)
   ORDER BY e.event_id`;

// One pass over the rows and one over the prices of all books (`OFFSET 0`), because one for each match takes five times as long. `share`: as homeShareOf has it, of the match's sides.
const OF_BOOKS = `
  SELECT event_id AS "eventId",
         coalesce(array_agg(DISTINCT commence_time) FILTER (WHERE taken_back_at IS NULL), '{}') AS "listedStarts",
         coalesce(array_agg(DISTINCT competition) FILTER (WHERE competition IS NOT NULL), '{}') AS competitions,
         max(source_event_id) FILTER (WHERE is_own AND feed IS NOT DISTINCT FROM $5) AS "sourceId",
         coalesce(bool_or(is_own AND taken_back_at IS NULL), false) AS "isOwn",
         coalesce(bool_or(is_own AND ruled_at IS NOT NULL), false) AS "isRuledOwn",
         percentile_cont(0.5) WITHIN GROUP (ORDER BY share) FILTER (WHERE counts) AS "homeShare",
         count(*) FILTER (WHERE counts)::int AS "pricedBy",
         max(share) FILTER (WHERE is_own) AS "ownShare",
         (array_agg(json_build_array(home_price, draw_price, away_price))
            FILTER (WHERE is_own AND coalesce(home_price, draw_price, away_price) IS NOT NULL))[1] AS "ownH2h"
    FROM (
      SELECT *, NOT is_own AND share IS NOT NULL AND taken_back_at IS NULL
                AND observed_at >= $3::timestamptz - $4 * interval '1 second' AS counts
        FROM (
          SELECT b.*, b.bookmaker_key = $1 AS is_own, q.home_price, q.draw_price, q.away_price,
                 CASE WHEN 1 / q.home_price + 1 / q.away_price + coalesce(1 / q.draw_price, 0) >= 1
                      THEN q.away_price / (q.home_price + q.away_price) END AS share
            FROM sport_event_books b
            LEFT JOIN (SELECT * FROM sport_quotes WHERE event_id = ANY ($2::uuid[]) AND market = 'h2h' OFFSET 0) q
              ON q.event_id = b.event_id AND q.bookmaker_key = b.bookmaker_key
           WHERE b.event_id = ANY ($2::uuid[])) priced) judged
   GROUP BY event_id`;

type OfPair = Pick<
  StoredEvent,
  'eventId' | 'canonicalId' | 'sportKey' | 'homeKey' | 'awayKey' | 'commenceTime' | 'isRuled' | 'partedIds'
> & { readonly competition: string | null };
type OfBooks = Omit<StoredEvent, Exclude<keyof OfPair, 'eventId'>>;

/** Every match of these pairs of teams, however old: its canonical id is taken for ever. */
export async function readStored(client: ClientBase, query: StoredQuery): Promise<readonly StoredEvent[]> {
  const { bookmakerKey, pairs, observedAt, feed } = query;
  const sides = [pairs.map((one) => one.sportKey), pairs.map((one) => one.homeKey), pairs.map((one) => one.awayKey)];
  const { rows } = await client.query<OfPair>(OF_PAIRS, [bookmakerKey, ...sides]);
  const ids = [...new Set(rows.map(({ eventId }) => eventId))];
  const values = [bookmakerKey, ids, observedAt, STALE_AFTER_SECONDS, feed];
  const books = await client.query<OfBooks>(OF_BOOKS, values);
  const byId = new Map(books.rows.map((one) => [one.eventId, one]));
  return rows.map(({ competition, ...match }) => {
    const { competitions, ...ofBooks } = byId.get(match.eventId) ?? UNLISTED;
    const isNamed = competition === null || competitions.includes(competition);
    return { ...match, ...ofBooks, competitions: isNamed ? competitions : [...competitions, competition] };
  });
}

const UNLISTED: Omit<OfBooks, 'eventId'> = {
  listedStarts: [],
  competitions: [],
  sourceId: null,
  isOwn: false,
  isRuledOwn: false,
  homeShare: null,
  pricedBy: 0,
  ownShare: null,
  ownH2h: null,
};
