-- `write_poll` for a batch, a report a row of the arrays: the same comparison and the same rows, in one statement for all of them. Returns a verdict
-- a row, by its place from 1. Called by `src/store` alone, whose arrays are in the order in which every batch locks.
--
-- One more verdict, with which nothing was written: `alone`, a report that `write_poll` takes. It is rare: one with other runners, a price that went
-- or came back, a 304 that is captured, one that writes its race's row, opens its odds or corrects a clock; and one whose row another writer has
-- locked or changed meanwhile. A batch waits for no lock: the close of one race never waits for the writers of another.
--
-- One statement, because each execution of an UPDATE reads its triggers' conditions anew and each INSERT opens its chunk: for a single row that cost
-- more than the row. The plan is pinned: every row is found by its key, and written where it was read.
CREATE OR REPLACE FUNCTION write_polls(
  p_races uuid[], p_books text[], p_epochs integer[], p_attempts integer[], p_ats timestamptz[], p_book_ats timestamptz[],
  p_hashes text[], p_replies text[])
RETURNS TABLE (place integer, verdict text, changed integer, ticks integer, card_differs boolean, start_version integer, start_moved boolean,
               market_closed_at timestamptz) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  newest timestamptz := race_time(clock_timestamp() + interval '1 second');
BEGIN
  RETURN QUERY WITH stored AS MATERIALIZED (
    SELECT a.place::integer AS place, a.race_id AS race, a.book, a.epoch, a.attempt, a.at, a.book_at, a.hash, a.reply::book_reply AS reply,
           b.ctid AS line, b.xmin AS version, b.polled_at, b.market_status AS book_status, b.card_hash, b.numbers, b.runner_keys, b.win,
           b.win_changed_at, b.win_written_at, b.ticked_win,
           r.start_time, r.start_version, r.market_status, r.inplay, r.market_closed_at, r.odds_open,
           CASE WHEN b.race_id IS NULL THEN 'unknown'
                WHEN a.at > newest OR (b.polled_at >= a.at AND b.polled_at > newest) THEN 'alone'
                ELSE freshness_verdict(b.epoch, b.attempt, b.polled_at, b.book_at, b.reply_hash, b.captured, b.market_status,
                                       r.start_time, r.market_status, r.market_closed_at,
                                       a.epoch, a.attempt, a.at, a.book_at, a.hash, a.reply IS NOT NULL) END AS verdict
      FROM unnest(p_races, p_books, p_epochs, p_attempts, p_ats, p_book_ats, p_hashes, p_replies)
             WITH ORDINALITY AS a (race_id, book, epoch, attempt, at, book_at, hash, reply, place)
      LEFT JOIN race_books b ON b.race_id = a.race_id AND b.bookmaker_key = a.book
      LEFT JOIN races r ON r.race_id = b.race_id
  ), compared AS MATERIALIZED (
    -- Only what is used below: each further step copies every column of each row.
    SELECT s.place, s.race, s.book, s.epoch, s.attempt, s.at, s.book_at, s.hash, s.reply, s.line, s.version, s.polled_at, s.book_status,
           s.ticked_win, s.start_time, c.status, c.in_capture, m.win_moved_at, m.win_written, m.win_ticked, m.changed, m.ticks,
           array_remove(s.win, NULL) <> '{}' AS priced, (s.reply).card_hash IS DISTINCT FROM s.card_hash AS card_differs
      FROM stored s
     CROSS JOIN LATERAL (
       SELECT (s.reply).market_status AS status, s.book_status IS DISTINCT FROM 'CLOSED' AS was_open,
              (s.reply).market_status IS DISTINCT FROM 'CLOSED' AS is_open,
              captures_prices(s.at, s.start_time, (s.reply).market_status, s.market_status, s.market_closed_at) AS in_capture OFFSET 0
     ) c
     CROSS JOIN LATERAL (
       SELECT array_agg(CASE WHEN q.win IS DISTINCT FROM q.was OR q.moved_at > s.at THEN s.at ELSE q.moved_at END) AS win_moved_at,
              -- 'infinity' where this poll moved the price.
              array_agg(CASE WHEN q.win IS DISTINCT FROM q.was THEN 'infinity' ELSE q.written_at END) AS win_written,
              array_agg(CASE WHEN c.in_capture THEN COALESCE(q.win, q.ticked) ELSE q.ticked END) AS win_ticked,
              count(*) FILTER (WHERE q.win IS DISTINCT FROM q.was)::integer AS changed,
              count(*) FILTER (WHERE c.in_capture AND q.win IS NOT NULL AND q.win IS DISTINCT FROM q.ticked)::integer AS ticks,
              -- Captured prices that the book stopped showing, or shows again.
              bool_or(((c.was_open AND q.was = q.ticked) IS TRUE) <> ((c.is_open AND q.win = q.ticked) IS TRUE)
                      AND (NOT c.in_capture OR q.win IS NULL OR q.win = q.ticked)) AS breaks
         FROM unnest((s.reply).win, s.win, s.win_changed_at, s.win_written_at, s.ticked_win) AS q (win, was, moved_at, written_at, ticked)
     ) m
     -- A book's first reply has all runners anew: what is stored of them reads as null.
     WHERE s.verdict = 'write' AND (s.reply).numbers <> '{}'
       AND (s.numbers = '{}' OR (s.numbers = (s.reply).numbers AND s.runner_keys = (s.reply).runner_keys))
       AND NOT m.breaks
       -- Else it may open the race's odds, which locks the race.
       AND (s.odds_open OR m.changed = 0 OR NOT market_state_shown(s.book))
       AND COALESCE((s.reply).start_time, s.start_time) = s.start_time
       AND ((s.reply).sets_market IS NOT TRUE OR (s.reply).market_status IS NOT DISTINCT FROM s.market_status)
       AND ((s.reply).inplay IS NULL OR (s.reply).inplay IS NOT DISTINCT FROM s.inplay)
  ), locked AS MATERIALIZED (
    SELECT c.*
      FROM compared c JOIN race_books b ON b.ctid = c.line AND b.xmin = c.version AND b.race_id = c.race AND b.bookmaker_key = c.book
       FOR NO KEY UPDATE OF b SKIP LOCKED
  ), written AS (
    UPDATE race_books b
       SET polled_at = c.at, book_at = COALESCE(c.book_at, b.book_at), epoch = c.epoch, attempt = c.attempt,
           reply_hash = COALESCE(c.hash, b.reply_hash), captured = c.in_capture,
           market_status = c.status, source_url = COALESCE((c.reply).source_url, b.source_url), changed_at = c.at,
           numbers = (c.reply).numbers, runner_keys = (c.reply).runner_keys,
           win = (c.reply).win, place = (c.reply).place, top2 = (c.reply).top2, top3 = (c.reply).top3, top4 = (c.reply).top4,
           tote = (c.reply).tote, win_changed_at = c.win_moved_at, ticked_win = c.win_ticked,
           -- Only here: this clock is read under the lock of this table (`src/store/reads/races/changes.ts` relies on it).
           win_written_at = array_replace(c.win_written, 'infinity', clock_timestamp()),
           moved_written_at = CASE WHEN c.changed = 0 THEN b.moved_written_at ELSE clock_timestamp() END,
           offered_at = CASE WHEN c.book_status IS DISTINCT FROM 'CLOSED' AND c.priced AND (c.changed > 0 OR c.status = 'CLOSED') THEN c.polled_at
                             WHEN b.offered_at > c.at THEN c.at ELSE b.offered_at END
      FROM locked c
     WHERE b.ctid = c.line AND b.xmin = c.version AND b.race_id = c.race AND b.bookmaker_key = c.book
    RETURNING c.place, c.race, c.book, c.at, c.polled_at, c.start_time, c.reply, c.ticked_win, c.changed, c.ticks, c.card_differs
  ), ticked AS (
    INSERT INTO price_ticks (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump,
                             win_price, place_price, top2_price, top3_price, top4_price, seen_before)
    SELECT w.at, w.race, w.book, n.number, n.key, floor(extract(epoch FROM w.start_time - w.at))::integer,
           n.win, n.place, n.top2, n.top3, n.top4, w.polled_at
      FROM written w
     CROSS JOIN LATERAL unnest((w.reply).numbers, (w.reply).runner_keys, (w.reply).win, (w.reply).place, (w.reply).top2, (w.reply).top3, (w.reply).top4, w.ticked_win)
            AS n (number, key, win, place, top2, top3, top4, ticked)
     WHERE w.ticks > 0 AND n.win IS NOT NULL AND n.win IS DISTINCT FROM n.ticked
  )
  SELECT s.place, CASE WHEN w.place IS NOT NULL THEN 'written' WHEN s.verdict IN ('same', 'write') THEN 'alone' ELSE s.verdict END,
         COALESCE(w.changed, 0), COALESCE(w.ticks, 0), COALESCE(w.card_differs, false), COALESCE(s.start_version, 0), false, s.market_closed_at
    FROM stored s LEFT JOIN written w ON w.place = s.place;
END $$;
