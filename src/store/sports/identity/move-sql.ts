// The statements that move a book's rows from one match to another, and what follows from it.

const SIDES = `(home_price, draw_price, away_price, home_point, away_point)`;
/** `$4`: the sides of the two matches are the other way round. Totals have no sides. */
const turned = (of: string): string => {
  const isTurned = `$4 AND ${of}.market <> 'totals'`;
  const side = (own: string, other: string): string =>
    `CASE WHEN ${isTurned} THEN ${of}.${other} ELSE ${of}.${own} END`;
  return [
    side('home_price', 'away_price'),
    `${of}.draw_price`,
    side('away_price', 'home_price'),
    side('home_point', 'away_point'),
    side('away_point', 'home_point'),
  ].join(', ');
};

/** From `$1` to `$2`, of book `$3`. */
export const MOVE_TICKS = 'SELECT move_sport_ticks($1, $2, $3, $4)';

/**
 * Each price gets its own time, because two rows of a book may differ in theirs. Book `$3` in the matches `$1` and
 * `$2`.
 */
export const DATE_QUOTES = `
  WITH dated AS (
    UPDATE sport_quotes q SET observed_at = b.priced_at FROM sport_event_books b
     WHERE q.event_id IN ($1, $2) AND q.bookmaker_key = $3 AND b.event_id = q.event_id AND b.bookmaker_key = q.bookmaker_key
       AND q.observed_at < b.priced_at AND coalesce(q.home_price, q.draw_price, q.away_price) IS NOT NULL)
  UPDATE sport_event_books SET priced_at = NULL WHERE event_id IN ($1, $2) AND bookmaker_key = $3`;

/** The row that the book listed last wins. */
export const MOVE_QUOTES = `
  WITH gone AS (DELETE FROM sport_quotes WHERE event_id = $1 AND bookmaker_key = $3 RETURNING *)
  INSERT INTO sport_quotes AS q (event_id, bookmaker_key, market, observed_at, changed_at, source_updated_at, home_price, draw_price, away_price, home_point, away_point)
  SELECT $2, g.bookmaker_key, g.market, g.observed_at, g.changed_at, g.source_updated_at, ${turned('g')} FROM gone g
  ON CONFLICT (event_id, bookmaker_key, market) DO UPDATE
     SET ${SIDES} = ROW (EXCLUDED.home_price, EXCLUDED.draw_price, EXCLUDED.away_price, EXCLUDED.home_point, EXCLUDED.away_point),
         observed_at = EXCLUDED.observed_at, changed_at = EXCLUDED.changed_at, source_updated_at = EXCLUDED.source_updated_at,
         before_home_price = NULL, before_draw_price = NULL, before_away_price = NULL, before_home_point = NULL, before_away_point = NULL,
         before_changed_at = NULL
   WHERE q.observed_at < EXCLUDED.observed_at`;

/** Lines beside the main one: from the row that the book listed last. A spread is the home side's. */
export const MOVE_LINES = `
  WITH gone AS (DELETE FROM sport_lines WHERE event_id = $1 AND bookmaker_key = $3 RETURNING *),
  g AS (SELECT *, $4 AND market <> 'alternate_totals' AS turned FROM gone)
  INSERT INTO sport_lines AS q (event_id, bookmaker_key, market, point, home_price, away_price, observed_at, changed_at, source_updated_at)
  SELECT $2, bookmaker_key, market, CASE WHEN turned THEN -point ELSE point END, CASE WHEN turned THEN away_price ELSE home_price END,
         CASE WHEN turned THEN home_price ELSE away_price END, observed_at, changed_at, source_updated_at FROM g
  ON CONFLICT (event_id, bookmaker_key, market, point) DO UPDATE
     SET home_price = EXCLUDED.home_price, away_price = EXCLUDED.away_price, observed_at = EXCLUDED.observed_at,
         changed_at = EXCLUDED.changed_at, source_updated_at = EXCLUDED.source_updated_at
   WHERE q.observed_at < EXCLUDED.observed_at`;

/** `$5`: when an operator ruled; null: none did. `$6`: the evidence, where it has changed. */
export const MOVE_ROW = `
  WITH gone AS (DELETE FROM sport_event_books WHERE event_id = $1 AND bookmaker_key = $3 RETURNING *)
  INSERT INTO sport_event_books AS b (event_id, bookmaker_key, source_event_id, home_name, away_name, swapped, commence_time, observed_at,
         taken_back_at, competition, feed, placed_by, ruled_at)
  SELECT $2, bookmaker_key, source_event_id, home_name, away_name, swapped <> $4, commence_time, observed_at, taken_back_at, competition, feed,
         coalesce($6, placed_by), coalesce($5::timestamptz, ruled_at) FROM gone
  ON CONFLICT (event_id, bookmaker_key) DO UPDATE
     SET source_event_id = EXCLUDED.source_event_id, home_name = EXCLUDED.home_name, away_name = EXCLUDED.away_name,
         swapped = EXCLUDED.swapped, commence_time = EXCLUDED.commence_time, observed_at = EXCLUDED.observed_at,
         taken_back_at = EXCLUDED.taken_back_at, competition = EXCLUDED.competition, feed = EXCLUDED.feed, placed_by = EXCLUDED.placed_by,
         ruled_at = EXCLUDED.ruled_at
   WHERE (b.taken_back_at IS NULL, b.observed_at) < (EXCLUDED.taken_back_at IS NULL, EXCLUDED.observed_at)`;

/**
 * Two series of one book become one: it ends with the current price, even if the other one ended later. Book `$2` in
 * match `$1`.
 */
export const END_SERIES = `
  INSERT INTO sport_ticks (event_id, bookmaker_key, market, captured_at, home_price, draw_price, away_price, home_point, away_point)
  SELECT q.event_id, q.bookmaker_key, q.market, q.observed_at, q.home_price, q.draw_price, q.away_price, q.home_point, q.away_point
    FROM sport_quotes q CROSS JOIN LATERAL (
      SELECT * FROM sport_ticks t WHERE t.event_id = q.event_id AND t.bookmaker_key = q.bookmaker_key AND t.market = q.market
       ORDER BY t.captured_at DESC LIMIT 1) last
   WHERE q.event_id = $1 AND q.bookmaker_key = $2 AND last.captured_at < q.observed_at
     AND (last.home_price, last.draw_price, last.away_price, last.home_point, last.away_point)
         IS DISTINCT FROM (q.home_price, q.draw_price, q.away_price, q.home_point, q.away_point)
  ON CONFLICT DO NOTHING`;

/** The arbs that were announced on match `$1` with a leg at one of the books `$2` and one at another. */
export const ANNOUNCED = `
  SELECT event_id AS "eventId", category AS sport, facts FROM events
   WHERE kind = 'arb.opportunity' AND facts ->> 'event_id' = $1::text
     AND EXISTS (SELECT FROM jsonb_array_elements(facts -> 'legs') l WHERE l ->> 'bookmaker' = ANY ($2))
     AND EXISTS (SELECT FROM jsonb_array_elements(facts -> 'legs') l WHERE l ->> 'bookmaker' <> ALL ($2))`;

/** Once for each arb (D59). */
export const CORRECT_ARB = `SELECT write_event('arb.corrected ' || $1, 'arb.corrected', NULL, NULL, $2, $3, $4)`;

/**
 * A match has a competition that one of its books names: the one that it has, otherwise that of the book that listed it
 * first.
 */
export const NAME_COMPETITION = `
  UPDATE sport_events e SET competition = (
    SELECT b.competition FROM sport_event_books b WHERE b.event_id = e.event_id AND b.competition IS NOT NULL
     ORDER BY b.competition IS NOT DISTINCT FROM e.competition DESC, b.placed_by IS NOT DISTINCT FROM 'new' DESC, b.bookmaker_key LIMIT 1)
   WHERE e.event_id = $1`;
