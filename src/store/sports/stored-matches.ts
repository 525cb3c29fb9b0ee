// The stored matches of pairs of teams, with the evidence by which a book's row is placed (D66).
import type { ClientBase } from 'pg';
import type { Instant } from '../../domain/race/race';
import type { ListedEvent, StoredEvent } from '../../domain/sports/identity/listed-event';
import { pairsOf } from '../../domain/sports/identity/place-events';
import { settledById, type Unpriced } from '../../domain/sports/identity/settled-by-id';
import { STALE_AFTER_SECONDS } from '../../domain/sports/match';
import type { OwnRow } from './listed-rows';

interface StoredQuery {
  readonly bookmakerKey: string;
  readonly rows: readonly ListedEvent[];
  /** The rows are the whole list: other books' prices are then read only if they may decide. */
  readonly isWhole: boolean;
  /** The book's list: prices of others that were stale by then do not count. */
  readonly observedAt: Instant;
  /** The source of the rows; null: the book itself. A feed's ids are not the book's own. */
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

/** As in homeShareOf, for the match's sides. */
const SHARE = `CASE WHEN 1 / q.home_price + 1 / q.away_price + coalesce(1 / q.draw_price, 0) >= 1
                      THEN q.away_price / (q.home_price + q.away_price) END`;
/** `$3`: of the book's list. */
const OWN_ROW = `b.event_id IS NOT NULL AS "hasRow", b.swapped, b.source_event_id, b.home_name, b.away_name, b.competition, b.commence_time, b.feed,
         b.placed_by IS NOT NULL AS "isRecorded", b.taken_back_at IS NOT NULL AS "isTakenBack", greatest(b.observed_at, b.taken_back_at) >= $3 AS "isNewer"`;
/**
 * Most books list the same matches: their rows are reduced first, because an array per match takes three times as long.
 */
const OF_BOOKS = `
  SELECT l.*, ${OWN_ROW}, b.ruled_at IS NOT NULL AS "isRuledOwn", ${SHARE} AS "ownShare",
         CASE WHEN coalesce(q.home_price, q.draw_price, q.away_price) IS NOT NULL
              THEN json_build_array(q.home_price, q.draw_price, q.away_price) END AS "ownH2h"
    FROM (
      SELECT event_id AS "eventId",
             coalesce(array_agg(DISTINCT start ORDER BY start) FILTER (WHERE start IS NOT NULL), '{}') AS "listedStarts",
             coalesce(array_agg(DISTINCT competition ORDER BY competition) FILTER (WHERE competition IS NOT NULL), '{}') AS competitions
        FROM (
          SELECT DISTINCT event_id, CASE WHEN taken_back_at IS NULL THEN commence_time END AS start, competition
            FROM sport_event_books WHERE event_id = ANY ($2::uuid[])) reduced
       GROUP BY event_id) l
    LEFT JOIN sport_event_books b ON b.event_id = l."eventId" AND b.bookmaker_key = $1
    LEFT JOIN sport_quotes q ON q.event_id = b.event_id AND q.bookmaker_key = b.bookmaker_key AND q.market = 'h2h'`;

// One pass over the rows and one over the prices (`OFFSET 0`), because one per match takes five times as long.
const OF_OTHERS = `
  SELECT event_id AS "eventId", percentile_cont(0.5) WITHIN GROUP (ORDER BY share) AS "homeShare", count(*)::int AS "pricedBy"
    FROM (
      SELECT b.event_id, ${SHARE} AS share
        FROM sport_event_books b
        LEFT JOIN (SELECT * FROM sport_quotes WHERE event_id = ANY ($2::uuid[]) AND bookmaker_key <> $1 AND market = 'h2h' OFFSET 0) q
          ON q.event_id = b.event_id AND q.bookmaker_key = b.bookmaker_key
       WHERE b.event_id = ANY ($2::uuid[]) AND b.taken_back_at IS NULL
         AND b.observed_at >= $3::timestamptz - $4 * interval '1 second') priced
   WHERE share IS NOT NULL GROUP BY event_id`;

type OfPair = Pick<
  StoredEvent,
  'eventId' | 'canonicalId' | 'sportKey' | 'homeKey' | 'awayKey' | 'commenceTime' | 'isRuled' | 'partedIds'
> & { readonly competition: string | null };
type OfOthers = Pick<StoredEvent, 'eventId' | 'homeShare' | 'pricedBy'>;
type OfBooks = Omit<Unpriced, Exclude<keyof OfPair, 'eventId'> | 'sourceId' | 'isOwn'>;
/** Without a row all of `OwnRow` is null, except the parameters. */
type WithRow = OfBooks & OwnRow & { readonly hasRow: boolean };

/** With the row of the book that lists it or listed it. */
export interface StoredMatch extends StoredEvent {
  readonly own: OwnRow | null;
}

/**
 * Every match of the pairs of teams of these rows, however old: its canonical id is taken forever. Other books' prices
 * are left out for rows that are settled without them.
 */
export async function readStored(client: ClientBase, query: StoredQuery): Promise<readonly StoredMatch[]> {
  const { bookmakerKey, rows, isWhole, observedAt, feed } = query;
  const pairs = pairsOf(rows);
  const sides = [pairs.map((one) => one.sportKey), pairs.map((one) => one.homeKey), pairs.map((one) => one.awayKey)];
  const found = await client.query<OfPair>(OF_PAIRS, [bookmakerKey, ...sides]);
  const ids = idsOf(found.rows);
  const books = await client.query<WithRow>(OF_BOOKS, [bookmakerKey, ids, observedAt]);
  const byId = new Map(books.rows.map((one) => [one.eventId, one]));
  const stored = found.rows.map(({ competition, ...match }) => {
    const row = byId.get(match.eventId);
    const { listedStarts, competitions, isRuledOwn, ownShare, ownH2h } = row ?? UNLISTED;
    const isNamed = competition === null || competitions.includes(competition);
    const own = row?.hasRow ? row : null;
    return {
      ...match,
      listedStarts,
      competitions: isNamed ? competitions : [...competitions, competition],
      isRuledOwn,
      ownShare,
      ownH2h,
      sourceId: own?.feed === feed ? own.source_event_id : null,
      isOwn: own !== null && !own.isTakenBack,
      own,
    };
  });
  const settled = isWhole ? settledById(rows, stored, observedAt) : new Set();
  const unsettled = idsOf(stored.filter((one) => !settled.has(one)));
  const others = unsettled.length === 0 ? [] : await readOthers(client, query, unsettled);
  const priced = new Map(others.map((one) => [one.eventId, one]));
  return stored.map((one) => ({ ...one, ...(priced.get(one.eventId) ?? UNPRICED) }));
}

const idsOf = (of: readonly { readonly eventId: string }[]): readonly string[] => [
  ...new Set(of.map(({ eventId }) => eventId)),
];

async function readOthers(client: ClientBase, { bookmakerKey, observedAt }: StoredQuery, ids: readonly string[]) {
  const values = [bookmakerKey, ids, observedAt, STALE_AFTER_SECONDS];
  return (await client.query<OfOthers>(OF_OTHERS, values)).rows;
}

const UNPRICED = { homeShare: null, pricedBy: 0 };

const UNLISTED: Omit<OfBooks, 'eventId'> = {
  listedStarts: [],
  competitions: [],
  isRuledOwn: false,
  ownShare: null,
  ownH2h: null,
};
