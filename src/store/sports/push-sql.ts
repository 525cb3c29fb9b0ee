// The statements of a sports push, in the order in which they run.

/** Any number that no other advisory lock of this database has. */
export const IN_TURN = 'SELECT pg_advisory_xact_lock(77)';

/** `before`: the book's last push; null: this is its first. No row: the stored push is as new. */
export const BEGIN = `
  INSERT INTO sport_pushes AS stored (bookmaker_key, observed_at, received_at, events) VALUES ($1, $2, $3, $4)
  ON CONFLICT (bookmaker_key) DO UPDATE
     SET observed_at = EXCLUDED.observed_at, received_at = EXCLUDED.received_at, events = EXCLUDED.events
   WHERE stored.observed_at < EXCLUDED.observed_at
  RETURNING (SELECT observed_at FROM sport_pushes WHERE bookmaker_key = $1) AS before`;

export const STORED = 'SELECT observed_at FROM sport_pushes WHERE bookmaker_key = $1';

export const CREATE = `
  INSERT INTO sport_events (event_id, canonical_event_id, sport_key, home_key, away_key, home_team, away_team, competition,
         commence_time, first_seen_at)
  SELECT * FROM jsonb_to_recordset($1) AS n (event_id uuid, canonical_event_id text, sport_key text, home_key text, away_key text,
         home_team text, away_team text, competition text, commence_time timestamptz, first_seen_at timestamptz)`;

/** New or changed ones. `$4`: the feed that lists them; null: the book itself. `priced`: the push has their prices. */
export const LIST = `
  WITH n AS (
    SELECT * FROM jsonb_to_recordset($3) AS n (event_id uuid, source_event_id text, home_name text, away_name text, swapped boolean,
           commence_time timestamptz, competition text, placed_by text, priced boolean)),
  named AS (
    UPDATE sport_events e SET competition = n.competition FROM n
     WHERE n.event_id = e.event_id AND e.competition IS NULL AND n.competition IS NOT NULL)
  INSERT INTO sport_event_books AS b (event_id, bookmaker_key, source_event_id, home_name, away_name, swapped, commence_time, observed_at,
         priced_at, competition, placed_by, feed)
  SELECT event_id, $1, source_event_id, home_name, away_name, swapped, commence_time, $2, CASE WHEN priced THEN $2::timestamptz END, competition,
         placed_by, $4 FROM n
  ON CONFLICT (event_id, bookmaker_key) DO UPDATE
     SET source_event_id = EXCLUDED.source_event_id, home_name = EXCLUDED.home_name, away_name = EXCLUDED.away_name,
         swapped = EXCLUDED.swapped, commence_time = EXCLUDED.commence_time, observed_at = EXCLUDED.observed_at,
         priced_at = coalesce(EXCLUDED.priced_at, b.priced_at), taken_back_at = NULL, competition = EXCLUDED.competition,
         placed_by = coalesce(b.placed_by, EXCLUDED.placed_by), feed = EXCLUDED.feed`;

/** Unchanged listings. `$4`: those of them for which the push has prices. */
export const CONFIRM = `
  UPDATE sport_event_books SET observed_at = $2, priced_at = CASE WHEN event_id = ANY ($4::uuid[]) THEN $2 ELSE priced_at END
   WHERE bookmaker_key = $1 AND event_id = ANY ($3::uuid[])`;

/**
 * From the rows of one source. A match that a feed drops may be in play, and its start is still a vote: started matches
 * are dropped a day later.
 */
export const TAKE_BACK = `
  UPDATE sport_event_books b SET taken_back_at = $2
   WHERE bookmaker_key = $1 AND taken_back_at IS NULL AND event_id <> ALL ($3::uuid[]) AND feed IS NOT DISTINCT FROM $4
     AND ($4 IS NULL OR EXISTS (SELECT FROM sport_events e WHERE e.event_id = b.event_id
            AND (e.commence_time > $2 OR e.commence_time < $2::timestamptz - interval '1 day')))
  RETURNING event_id`;

/** The sports of a push, so that no feed writes them at the same time. */
export const NOTE_SPORTS = `
  INSERT INTO sport_push_sports AS stored (bookmaker_key, sport_key, pushed_at) SELECT $1, one, $3 FROM unnest($2::text[]) one
  ON CONFLICT (bookmaker_key, sport_key) DO UPDATE SET pushed_at = GREATEST(stored.pushed_at, EXCLUDED.pushed_at)`;

/**
 * For these matches, by the books whose prices would not be stale. A match that has started gets a later start only if
 * that is at least half an hour ahead: a book that lists a match in play moves its start by minutes. `$5` and `$6`: the
 * matches that book `$4` lists now, and their starts.
 */
export const MOVE_STARTS = `
  WITH listed AS (
    SELECT event_id, commence_time, count(*) AS books FROM (
      SELECT event_id, commence_time FROM sport_event_books
       WHERE event_id = ANY ($1::uuid[]) AND taken_back_at IS NULL AND observed_at >= $2::timestamptz - $3 * interval '1 second'
         AND (bookmaker_key <> $4 OR event_id <> ALL ($5::uuid[]))
      UNION ALL SELECT * FROM unnest($5::uuid[], $6::timestamptz[])) rows GROUP BY 1, 2),
  starts AS (SELECT DISTINCT ON (event_id) event_id, commence_time FROM listed ORDER BY event_id, books DESC, commence_time)
  UPDATE sport_events e SET commence_time = s.commence_time FROM starts s
   WHERE s.event_id = e.event_id AND s.commence_time <> e.commence_time
     AND (e.commence_time > $2 OR s.commence_time < e.commence_time OR s.commence_time >= $2::timestamptz + interval '30 minutes')
  RETURNING e.event_id, e.commence_time`;

/** Once ever for each key (D31, D59), in the transaction of the prices that make the arb. */
export const ANNOUNCE_ARBS = `
  SELECT write_event(key, 'arb.opportunity', NULL, NULL, $1, facts, sport) FROM jsonb_to_recordset($2) AS n (key text, sport text, facts jsonb)`;

const most = (side: string): string => `max(${side}_price)`;
const exact = (side: string): string => `${most(side)}::numeric`;
const beyond100 = `(${most('home')} * ${most('away')} - ${most('home')} - ${most('away')})`;
/**
 * For prices up to 1,001 float8 rounds this by less than 1e-9: exact numbers, which take longer, are used only if that
 * may decide.
 */
const isBelow100 = `(${beyond100} > 1e-8 OR ${beyond100} > -1e-8 AND ${exact('home')} * ${exact('away')} > ${exact('home')} + ${exact('away')})`;

/**
 * Those of these matches on which an arb is possible: the best prices of a market's sides, of any book, age and line,
 * add up to less than 100 %. A draw counts if every book prices one. Only these are read and compared, because for most
 * matches none is possible.
 */
export const MAY_HAVE_ARBS = `
  SELECT DISTINCT event_id FROM (
    SELECT event_id, market, home_price, draw_price, away_price FROM sport_quotes
     WHERE event_id = ANY ($1::uuid[]) AND COALESCE(home_price, draw_price, away_price) IS NOT NULL
    UNION ALL
    SELECT event_id, substr(market, 11), home_price, NULL, away_price FROM sport_lines WHERE event_id = ANY ($1::uuid[])) offered
   GROUP BY event_id, market
  HAVING CASE WHEN market = 'h2h' AND bool_and(draw_price IS NOT NULL)
              THEN 1 / ${most('home')} + 1 / ${most('draw')} + 1 / ${most('away')} < 1 + 1e-12 ELSE ${isBelow100} END`;
