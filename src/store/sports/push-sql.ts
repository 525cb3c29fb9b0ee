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

export const CREATE = `
  INSERT INTO sport_events (event_id, canonical_event_id, sport_key, home_key, away_key, home_team, away_team, competition,
         commence_time, first_seen_at)
  SELECT * FROM jsonb_to_recordset($1) AS n (event_id uuid, canonical_event_id text, sport_key text, home_key text, away_key text,
         home_team text, away_team text, competition text, commence_time timestamptz, first_seen_at timestamptz)`;

/** `$4`: the feed that lists them; null: the book itself. */
export const LIST = `
  WITH n AS (
    SELECT * FROM jsonb_to_recordset($3) AS n (event_id uuid, source_event_id text, home_name text, away_name text, swapped boolean,
           commence_time timestamptz, competition text, placed_by text)),
  named AS (
    UPDATE sport_events e SET competition = n.competition FROM n
     WHERE n.event_id = e.event_id AND e.competition IS NULL AND n.competition IS NOT NULL)
  INSERT INTO sport_event_books AS b (event_id, bookmaker_key, source_event_id, home_name, away_name, swapped, commence_time, observed_at,
         competition, placed_by, feed)
  SELECT event_id, $1, source_event_id, home_name, away_name, swapped, commence_time, $2, competition, placed_by, $4 FROM n
  ON CONFLICT (event_id, bookmaker_key) DO UPDATE
     SET source_event_id = EXCLUDED.source_event_id, home_name = EXCLUDED.home_name, away_name = EXCLUDED.away_name,
         swapped = EXCLUDED.swapped, commence_time = EXCLUDED.commence_time, observed_at = EXCLUDED.observed_at, taken_back_at = NULL,
         competition = EXCLUDED.competition, placed_by = coalesce(b.placed_by, EXCLUDED.placed_by), feed = EXCLUDED.feed`;

/** Of the rows of one source. A match that a feed drops may be in play, and its start is still a vote: what has started goes a day later. */
export const TAKE_BACK = `
  UPDATE sport_event_books b SET taken_back_at = $2
   WHERE bookmaker_key = $1 AND taken_back_at IS NULL AND event_id <> ALL ($3::uuid[]) AND feed IS NOT DISTINCT FROM $4
     AND ($4 IS NULL OR EXISTS (SELECT FROM sport_events e WHERE e.event_id = b.event_id
            AND (e.commence_time > $2 OR e.commence_time < $2::timestamptz - interval '1 day')))
  RETURNING event_id`;

/** The sports of a push, so that no feed writes them beside it. */
export const NOTE_SPORTS = `
  INSERT INTO sport_push_sports AS stored (bookmaker_key, sport_key, pushed_at) SELECT $1, one, $3 FROM unnest($2::text[]) one
  ON CONFLICT (bookmaker_key, sport_key) DO UPDATE SET pushed_at = GREATEST(stored.pushed_at, EXCLUDED.pushed_at)`;

/**
 * Of these matches, by the books whose prices would not be stale. One that has started gets a later start only if that is half an hour ahead or more:
 * a book that lists a match in play moves its start by minutes.
 */
export const MOVE_STARTS = `
  WITH listed AS (
    SELECT event_id, commence_time, count(*) AS books FROM sport_event_books
     WHERE event_id = ANY ($1::uuid[]) AND taken_back_at IS NULL AND observed_at >= $2::timestamptz - $3 * interval '1 second' GROUP BY 1, 2),
  starts AS (SELECT DISTINCT ON (event_id) event_id, commence_time FROM listed ORDER BY event_id, books DESC, commence_time)
  UPDATE sport_events e SET commence_time = s.commence_time FROM starts s
   WHERE s.event_id = e.event_id AND s.commence_time <> e.commence_time
     AND (e.commence_time > $2 OR s.commence_time < e.commence_time OR s.commence_time >= $2::timestamptz + interval '30 minutes')`;

/** Matches that start after the push: the others take no more prices. */
export const OPEN = 'SELECT event_id FROM sport_events WHERE event_id = ANY ($1::uuid[]) AND commence_time > $2';

const PRICES = 'home_price, draw_price, away_price, home_point, away_point';
const prices = (of: string): string => PRICES.replaceAll(/\w+/g, `${of}.$&`);
const BEFORE = PRICES.replaceAll(/\w+/g, 'before_$&');
const DIFFERS = `(${prices('q')}) IS DISTINCT FROM (${prices('EXCLUDED')})`;
/** A price that stood less long was not meant, or is hard to get. */
const SOON = "interval '10 minutes'";

/** `changes`: the match of each change of a market, whether a price was offered, and whether it ended one that stood less than ten minutes. */
const countMoves = (changes: string): string => `moves AS (
    INSERT INTO sport_moves AS m (bookmaker_key, sport_key, day, offered, moved)
    SELECT $1, e.sport_key, ($2::timestamptz AT TIME ZONE 'UTC')::date, count(*) FILTER (WHERE c.offered), count(*) FILTER (WHERE c.moved)
      FROM (${changes}) c JOIN sport_events e USING (event_id) GROUP BY 2
    ON CONFLICT (bookmaker_key, sport_key, day) DO UPDATE SET offered = m.offered + EXCLUDED.offered, moved = m.moved + EXCLUDED.moved)`;

/** `$4`: the matches that the push lists, or lists no longer. What is taken back has moved, and offers nothing. */
export const WRITE_QUOTES = `
  WITH pushed AS (
    SELECT * FROM jsonb_to_recordset($3) AS n (event_id uuid, market text, home_price float8, draw_price float8, away_price float8,
           home_point float8, away_point float8, source_updated_at timestamptz)),
  written AS (
    INSERT INTO sport_quotes AS q (event_id, bookmaker_key, market, ${PRICES}, observed_at, changed_at, source_updated_at)
    -- No source knows prices of after the observation: its clock runs ahead.
    SELECT event_id, $1, market, ${PRICES}, $2, $2, CASE WHEN source_updated_at > $2 THEN $2 ELSE source_updated_at END FROM pushed
    ON CONFLICT (event_id, bookmaker_key, market) DO UPDATE
       SET (${PRICES}) = ROW (${prices('EXCLUDED')}), observed_at = EXCLUDED.observed_at, source_updated_at = EXCLUDED.source_updated_at,
           (${BEFORE}, before_changed_at) = ROW (${PRICES.replaceAll(/\w+/g, `CASE WHEN ${DIFFERS} THEN q.$& ELSE q.before_$& END`)},
             CASE WHEN ${DIFFERS} THEN q.changed_at ELSE q.before_changed_at END),
           changed_at = CASE WHEN ${DIFFERS} THEN EXCLUDED.changed_at ELSE q.changed_at END
    RETURNING event_id, market, ${PRICES}, changed_at = $2 AS changed,
              changed_at = $2 AND before_changed_at > $2::timestamptz - ${SOON}
                AND COALESCE(before_home_price, before_draw_price, before_away_price) IS NOT NULL AS moved),
  taken_back AS (
    UPDATE sport_quotes q
       SET home_price = NULL, draw_price = NULL, away_price = NULL, home_point = NULL, away_point = NULL, changed_at = $2,
           (${BEFORE}, before_changed_at) = ROW (${prices('q')}, q.changed_at)
      FROM sport_events e
     WHERE q.event_id = ANY ($4::uuid[]) AND e.event_id = q.event_id AND e.commence_time > $2 AND q.bookmaker_key = $1
       AND COALESCE(q.home_price, q.draw_price, q.away_price) IS NOT NULL
       AND NOT EXISTS (SELECT FROM pushed p WHERE p.event_id = q.event_id AND p.market = q.market)
    RETURNING q.event_id, q.market, ${prices('q')}, q.before_changed_at > $2::timestamptz - ${SOON} AS moved),
  ticks AS (
    INSERT INTO sport_ticks (event_id, market, ${PRICES}, captured_at, bookmaker_key)
    SELECT event_id, market, ${PRICES}, $2, $1 FROM written WHERE changed
    UNION ALL SELECT event_id, market, ${PRICES}, $2, $1 FROM taken_back
    RETURNING event_id),
  ${countMoves('SELECT event_id, true AS offered, moved FROM written WHERE changed UNION ALL SELECT event_id, false, moved FROM taken_back')}
  SELECT (SELECT count(*) FROM ticks) AS changed, (SELECT count(*) FROM taken_back) AS taken_back,
         ARRAY(SELECT DISTINCT event_id FROM ticks) AS moved`;

/** The matches whose alternates changed. What is not listed any more is deleted. */
export const WRITE_LINES = `
  WITH pushed AS (
    SELECT * FROM jsonb_to_recordset($3) AS n (event_id uuid, market text, home_price float8, away_price float8, home_point float8,
           source_updated_at timestamptz)),
  written AS (
    INSERT INTO sport_lines AS q (event_id, bookmaker_key, market, point, home_price, away_price, observed_at, changed_at, source_updated_at)
    SELECT event_id, $1, market, home_point, home_price, away_price, $2, $2, LEAST(source_updated_at, $2) FROM pushed
    ON CONFLICT (event_id, bookmaker_key, market, point) DO UPDATE
       SET home_price = EXCLUDED.home_price, away_price = EXCLUDED.away_price, observed_at = EXCLUDED.observed_at,
           source_updated_at = EXCLUDED.source_updated_at,
           changed_at = CASE WHEN (q.home_price, q.away_price) IS DISTINCT FROM (EXCLUDED.home_price, EXCLUDED.away_price)
                             THEN EXCLUDED.changed_at ELSE q.changed_at END
    RETURNING event_id, changed_at = $2 AS changed),
  gone AS (
    DELETE FROM sport_lines q
     WHERE q.event_id = ANY ($4::uuid[]) AND q.bookmaker_key = $1
       AND NOT EXISTS (SELECT FROM pushed p WHERE p.event_id = q.event_id AND p.market = q.market AND p.home_point = q.point)
    RETURNING event_id)
  SELECT event_id FROM written WHERE changed UNION SELECT event_id FROM gone`;

/** Once for ever for each key (D31, D59), in the transaction of the prices that make the arb. */
export const ANNOUNCE_ARBS = `
  SELECT write_event(key, 'arb.opportunity', NULL, NULL, $1, facts, sport) FROM jsonb_to_recordset($2) AS n (key text, sport text, facts jsonb)`;

const most = (side: string): string => `max(${side}_price)::numeric`;
const isBelow100 = `${most('home')} * ${most('away')} > ${most('home')} + ${most('away')}`;

/**
 * The matches of these on which an arb is possible: the best prices of a market's sides, of whatever book, age and line, add up to less than 100 %. A draw
 * counts where every book prices one. Only these are read and compared, because of most matches none is.
 */
export const MAY_HAVE_ARBS = `
  SELECT event_id FROM sport_quotes
   WHERE event_id = ANY ($1::uuid[]) AND market = 'h2h' AND COALESCE(home_price, draw_price, away_price) IS NOT NULL
   GROUP BY event_id
  HAVING CASE WHEN bool_and(draw_price IS NOT NULL)
              THEN 1 / ${most('home')} + 1 / ${most('draw')} + 1 / ${most('away')} < 1 + 1e-12 ELSE ${isBelow100} END
   UNION
  SELECT event_id FROM (
    SELECT event_id, market, home_price, away_price FROM sport_quotes WHERE event_id = ANY ($1::uuid[]) AND market <> 'h2h'
    UNION ALL
    SELECT event_id, substr(market, 11), home_price, away_price FROM sport_lines WHERE event_id = ANY ($1::uuid[])) lines
   GROUP BY event_id, market HAVING ${isBelow100}`;
