// Writes one book's list of a day in one transaction: new races, the book's links and its spellings. Touches only what
// differs, because the same list comes every few minutes.
import type { ClientBase, Pool } from 'pg';
import { BOOKMAKERS, bookmaker } from '../../domain/bookmakers';
import type { ListedRace } from '../../domain/race/feed-race';
import type { Instant, RaceIdentity } from '../../domain/race/race';
import { inTransaction } from '../pg/transaction';

/** A listed race with its identity (D17). */
export interface PlacedRace {
  readonly raceId: string;
  readonly identity: RaceIdentity;
  readonly venueCanonical: string;
  readonly venueSite: string;
  readonly listed: ListedRace;
}

/** One race of a book's list, as it is after the list was written. */
export interface CardChange {
  readonly raceId: string;
  readonly identity: RaceIdentity;
  readonly venueCanonical: string;
  readonly country: string | null;
  readonly startTime: Instant;
  readonly startVersion: number;
  readonly created: boolean;
  readonly startMoved: boolean;
}

/**
 * The list as a row source; of two rows for one race the last wins. A statement that locks sorts again, so that two
 * lists lock in one order: a join may not keep the order.
 */
const LISTED = `
  listed AS (
    SELECT DISTINCT ON (race_id) * FROM jsonb_to_recordset($1) AS l (race_id uuid, meeting_date date, category text, venue text,
           venue_id text, venue_canonical text, venue_site text, card smallint, race_number smallint, country text,
           start_time timestamptz, race_name text, distance_m integer, track_condition text, weather text, source_race_id text,
           place integer)
     ORDER BY race_id, place DESC
  )`;

/** A new link locks the race's control row: then either a claim sees the link or the link sees the claim. */
const LOCK_CONTROL = {
  name: 'list-lock-control',
  text: `
  WITH ${LISTED}
  SELECT 1 FROM race_control
   WHERE race_id IN (SELECT l.race_id FROM listed l
                      WHERE NOT EXISTS (SELECT 1 FROM race_books b WHERE b.race_id = l.race_id AND b.bookmaker_key = $2))
   ORDER BY race_id FOR SHARE`,
};

/**
 * Two lists may insert a race at once, and either index may report the conflict, so none is named. A race that is
 * already over when found was never on the board (D63).
 */
const INSERT_RACES = {
  name: 'list-new-races',
  text: `
  WITH ${LISTED}
  INSERT INTO races (race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, card, race_number, country,
         start_time, race_name, distance_m, track_condition, weather, first_seen_at, updated_at, left_board_at)
  SELECT race_id, meeting_date, category, venue, venue_id, venue_canonical, venue_site, card, race_number, country,
         start_time, race_name, distance_m, track_condition, weather, $2, $2,
         CASE WHEN race_state(start_time, 'open', NULL, NULL, NULL, NULL, NULL, $2) = 'over' THEN $2::timestamptz END
    FROM listed l WHERE NOT EXISTS (SELECT 1 FROM races r WHERE r.race_id = l.race_id)
   ORDER BY race_id
  ON CONFLICT DO NOTHING
  RETURNING race_id`,
};

/**
 * Only the best-ranked book that lists the race may move its start ($3: the better-ranked ones), and not once the race
 * has run. The other columns fill in unknown facts. A race that was over when found, because its start was wrong or has
 * moved, comes onto the board.
 */
const UPDATE_RACES = {
  name: 'list-races',
  text: `
  WITH ${LISTED}, reported AS (
    SELECT l.*, CASE WHEN EXISTS (SELECT 1 FROM race_books b WHERE b.race_id = l.race_id AND b.bookmaker_key = ANY ($3))
                       OR EXISTS (SELECT 1 FROM races r LEFT JOIN race_results x USING (race_id)
                                   WHERE r.race_id = l.race_id AND r.status = 'open'
                                     AND (r.jumped_at IS NOT NULL OR x.placings_key <> ''))
                     THEN NULL ELSE l.start_time END AS starts
      FROM listed l
  ), locked AS (
    SELECT r.race_id, r.start_time FROM races r JOIN reported s USING (race_id)
     WHERE r.start_time <> s.starts
        OR (r.country IS NULL AND s.country IS NOT NULL) OR (r.race_name IS NULL AND s.race_name IS NOT NULL)
        OR (r.distance_m IS NULL AND s.distance_m IS NOT NULL) OR (r.weather IS NULL AND s.weather IS NOT NULL)
        OR (r.track_condition IS NULL AND s.track_condition IS NOT NULL)
     ORDER BY r.race_id FOR NO KEY UPDATE OF r
  )
  UPDATE races r
     SET start_time = COALESCE(s.starts, r.start_time),
         start_version = r.start_version + (r.start_time <> COALESCE(s.starts, r.start_time))::integer,
         left_board_at = CASE WHEN r.phase = 'card' AND r.jumped_at IS NULL AND r.status = 'open' AND race_state(
                                s.starts, r.status, r.market_status, r.market_closed_at, r.market_state_source, NULL, NULL, $2) <> 'over' THEN NULL
                              ELSE r.left_board_at END,
         country = COALESCE(r.country, s.country), race_name = COALESCE(r.race_name, s.race_name),
         distance_m = COALESCE(r.distance_m, s.distance_m), weather = COALESCE(r.weather, s.weather),
         track_condition = COALESCE(r.track_condition, s.track_condition), updated_at = GREATEST(r.updated_at, $2)
    FROM reported s JOIN locked h USING (race_id)
   WHERE r.race_id = s.race_id
  RETURNING r.race_id, r.start_time <> h.start_time AS moved`,
};

const LINK_BOOK = {
  name: 'list-links',
  text: `
  WITH ${LISTED}
  INSERT INTO race_books (race_id, bookmaker_key, source_race_id, epoch, attempt)
  SELECT l.race_id, $2, l.source_race_id, COALESCE(c.epoch, 0), COALESCE(c.holder_attempt, 0)
    FROM listed l LEFT JOIN race_control c USING (race_id)
   WHERE NOT EXISTS (SELECT 1 FROM race_books b WHERE b.race_id = l.race_id AND b.bookmaker_key = $2)
   ORDER BY l.race_id
  ON CONFLICT DO NOTHING`,
};

/**
 * For a book that lists the race under a new id of its own. An id that already means another race stays with that race.
 */
const RELINK_BOOK = {
  name: 'list-other-links',
  text: `
  WITH ${LISTED}
  UPDATE race_books b SET source_race_id = l.source_race_id
    FROM listed l
   WHERE b.race_id = l.race_id AND b.bookmaker_key = $2 AND b.source_race_id <> l.source_race_id
     AND NOT EXISTS (SELECT 1 FROM race_books o WHERE o.bookmaker_key = $2 AND o.source_race_id = l.source_race_id)`,
};

/** A list of the past changes no spelling seen since, because it runs in a long transaction. */
const SPELLINGS = {
  name: 'list-spellings',
  text: `
  WITH ${LISTED}
  INSERT INTO venue_spellings AS stored (venue_id, spelling, category, country, first_seen_at, last_seen_at)
  SELECT venue_id, venue, category, max(country), $2::timestamptz, $2 FROM listed l
   WHERE NOT EXISTS (SELECT FROM venue_spellings s
                      WHERE (s.venue_id, s.spelling, s.category) = (l.venue_id, l.venue, l.category) AND s.last_seen_at >= $2 AND s.country IS NOT NULL)
   GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (venue_id, spelling, category) DO UPDATE
     SET last_seen_at = GREATEST(stored.last_seen_at, EXCLUDED.last_seen_at), country = COALESCE(stored.country, EXCLUDED.country)`,
};

const CHANGES = `
  SELECT race_id, start_time, start_version, country FROM races WHERE race_id = ANY ($1::uuid[])`;

export function saveCard(
  pool: Pool,
  bookmakerKey: string,
  races: readonly PlacedRace[],
  at: Instant,
): Promise<readonly CardChange[]> {
  const list = JSON.stringify(races.map(row));
  return inTransaction(pool, async (client) => {
    await client.query({ ...LOCK_CONTROL, values: [list, bookmakerKey] });
    const created = await client.query<{ race_id: string }>({ ...INSERT_RACES, values: [list, at] });
    const values = [list, at, booksRankedBefore(bookmakerKey)];
    const updated = await client.query<{ race_id: string; moved: boolean }>({ ...UPDATE_RACES, values });
    await client.query({ ...LINK_BOOK, values: [list, bookmakerKey] });
    await client.query({ ...RELINK_BOOK, values: [list, bookmakerKey] });
    await client.query({ ...SPELLINGS, values: [list, at] });
    const moved = updated.rows.filter((each) => each.moved).map((each) => each.race_id);
    return changesOf(client, races, new Set(created.rows.map((each) => each.race_id)), new Set(moved));
  });
}

/** A pushed list never moves a start, because a push cannot signal the race's workflow. */
function booksRankedBefore(key: string): string[] {
  if (bookmaker(key)?.reach === 'pushed') return BOOKMAKERS.map((book) => book.key);
  const rank = (factsRank: number | null | undefined): number => factsRank ?? Number.POSITIVE_INFINITY;
  const own = rank(bookmaker(key)?.factsRank);
  return BOOKMAKERS.filter((book) => rank(book.factsRank) < own).map((book) => book.key);
}

function row({ raceId, identity, venueCanonical, venueSite, listed }: PlacedRace, place: number) {
  return {
    race_id: raceId,
    meeting_date: identity.meetingDate,
    category: identity.category,
    venue: listed.venue,
    venue_id: identity.venueId,
    venue_canonical: venueCanonical,
    venue_site: venueSite,
    card: identity.card,
    race_number: identity.raceNumber,
    country: listed.country,
    start_time: listed.startTime,
    race_name: listed.raceName,
    distance_m: listed.distanceM,
    track_condition: listed.trackCondition,
    weather: listed.weather,
    source_race_id: listed.sourceRaceId,
    place,
  };
}

interface StartRow {
  readonly race_id: string;
  readonly start_time: Instant;
  readonly start_version: number;
  readonly country: string | null;
}

async function changesOf(
  client: ClientBase,
  races: readonly PlacedRace[],
  created: ReadonlySet<string>,
  moved: ReadonlySet<string>,
): Promise<readonly CardChange[]> {
  const placed = new Map(races.map((race) => [race.raceId, race]));
  const { rows } = await client.query<StartRow>(CHANGES, [[...placed.keys()]]);
  const starts = new Map(rows.map((each) => [each.race_id, each]));
  return [...placed.values()].map(({ raceId, identity, venueCanonical }) => {
    const { start_time, start_version, country } = starts.get(raceId)!;
    const start = { startTime: start_time, startVersion: start_version, startMoved: moved.has(raceId) };
    return { raceId, identity, venueCanonical, country, ...start, created: created.has(raceId) };
  });
}
