-- `write_poll` for a batch, a report a row of the arrays: the same comparison and the same rows, in one statement for all of them. Returns a verdict
-- a row, by its place from 1. Called by `src/store` alone, whose arrays are in the order in which every batch locks.
--
-- Two more verdicts, with which nothing was written: `alone`, a report that writes its race's row or corrects a clock, which `write_poll` takes; and
-- `again`, a row that another writer changed meanwhile. Neither is tried here: a batch locks books' rows in one order, and never goes back.
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
  v record;
  opened uuid[] := '{}';
  opened_at timestamptz[] := '{}';
BEGIN
  FOR v IN WITH stored AS MATERIALIZED (
    SELECT a.place::integer AS place, a.race_id AS race, a.book, a.epoch, a.attempt, a.at, a.book_at, a.hash, a.reply::book_reply AS reply,
           a.reply IS NULL AS stands, b.ctid AS line, b.xmin AS version, b.polled_at, b.market_status AS book_status, b.card_hash,
           b.numbers, b.runner_keys, b.win, b.place AS place_price, b.top2, b.top3, b.top4, b.tote, b.win_changed_at, b.win_written_at, b.ticked_win,
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
    SELECT s.place, s.race, s.book, s.epoch, s.attempt, s.at, s.book_at, s.hash, s.stands, s.line, s.version, s.polled_at, s.start_version,
           s.market_closed_at, s.book_status, n.*, m.*, c.in_capture, (s.reply).source_url,
           array_remove(s.win, NULL) <> '{}' AS priced,
           n.card_hash IS DISTINCT FROM s.card_hash AS card_differs, COALESCE((s.reply).start_time, s.start_time) AS starts,
           NOT s.odds_open AND m.changed > 0 AND market_state_shown(s.book) AS opens,
           ((s.reply).start_time <> s.start_time) IS TRUE
             OR (c.sets_market AND n.status IS DISTINCT FROM s.market_status)
             OR ((s.reply).inplay IS NOT NULL AND (s.reply).inplay IS DISTINCT FROM s.inplay) AS alone
      FROM stored s
     -- The reply, aligned to what is stored. Runners that came, went or changed numbers: as in `write_poll`.
     CROSS JOIN LATERAL (
       SELECT s.book_status AS status, s.card_hash, s.tote, s.numbers, s.runner_keys AS keys, s.win, s.place_price AS places, s.top2, s.top3, s.top4,
              s.win AS was, s.win_changed_at AS moved_at, s.win_written_at AS written_at, s.ticked_win AS ticked
        WHERE s.stands
       UNION ALL
       SELECT (s.reply).market_status, (s.reply).card_hash, (s.reply).tote, (s.reply).numbers, (s.reply).runner_keys, (s.reply).win,
              (s.reply).place, (s.reply).top2, (s.reply).top3, (s.reply).top4, s.win, s.win_changed_at, s.win_written_at, s.ticked_win
        WHERE NOT s.stands AND s.numbers = (s.reply).numbers AND s.runner_keys = (s.reply).runner_keys
       UNION ALL
       SELECT (s.reply).market_status, (s.reply).card_hash, (s.reply).tote, COALESCE(array_agg(number ORDER BY number), '{}'),
              COALESCE(array_agg(COALESCE(n.key, o.key) ORDER BY number), '{}'), COALESCE(array_agg(n.win ORDER BY number), '{}'),
              COALESCE(array_agg(n.place ORDER BY number), '{}'), COALESCE(array_agg(n.top2 ORDER BY number), '{}'),
              COALESCE(array_agg(n.top3 ORDER BY number), '{}'), COALESCE(array_agg(n.top4 ORDER BY number), '{}'),
              array_agg(CASE WHEN n.key <> o.key THEN o.win * 'NaN'::double precision ELSE o.win END ORDER BY number),
              array_agg(o.moved_at ORDER BY number), array_agg(o.written_at ORDER BY number),
              array_agg(CASE WHEN n.key <> o.key THEN NULL ELSE o.ticked END ORDER BY number)
         FROM unnest(s.numbers, s.runner_keys, s.win, s.win_changed_at, s.win_written_at, s.ticked_win)
                AS o (number, key, win, moved_at, written_at, ticked)
         FULL JOIN unnest((s.reply).numbers, (s.reply).runner_keys, (s.reply).win, (s.reply).place, (s.reply).top2, (s.reply).top3, (s.reply).top4)
                AS n (number, key, win, place, top2, top3, top4) USING (number)
       HAVING NOT s.stands AND (s.numbers <> (s.reply).numbers OR s.runner_keys <> (s.reply).runner_keys)
     ) n
     CROSS JOIN LATERAL (SELECT COALESCE((s.reply).sets_market, false) AS sets_market OFFSET 0) x
     CROSS JOIN LATERAL (
       SELECT x.sets_market, captures_prices(s.at, COALESCE((s.reply).start_time, s.start_time), n.status,
                CASE WHEN x.sets_market THEN n.status ELSE s.market_status END, s.market_closed_at) AS in_capture,
              s.book_status IS DISTINCT FROM 'CLOSED' AS was_open, n.status IS DISTINCT FROM 'CLOSED' AS is_open OFFSET 0
     ) c
     CROSS JOIN LATERAL (
       SELECT COALESCE(array_agg(CASE WHEN q.win IS DISTINCT FROM q.was OR q.moved_at > s.at THEN s.at ELSE q.moved_at END), '{}') AS win_moved_at,
              -- 'infinity' where this poll moved the price.
              COALESCE(array_agg(CASE WHEN q.win IS DISTINCT FROM q.was THEN 'infinity' ELSE q.written_at END), '{}') AS win_written,
              COALESCE(array_agg(CASE WHEN c.in_capture THEN COALESCE(q.win, q.ticked) ELSE q.ticked END), '{}') AS win_ticked,
              count(*) FILTER (WHERE q.win IS DISTINCT FROM q.was)::integer AS changed,
              count(*) FILTER (WHERE c.in_capture AND q.win IS NOT NULL AND q.win IS DISTINCT FROM q.ticked)::integer AS ticks,
              -- Captured prices that the book stopped showing, or shows again. A new price that is captured ends the one before by its tick.
              array_agg((c.is_open AND q.win = q.ticked) IS TRUE) AS shown,
              COALESCE(array_agg(((c.was_open AND q.was = q.ticked) IS TRUE) <> ((c.is_open AND q.win = q.ticked) IS TRUE)
                                 AND (NOT c.in_capture OR q.win IS NULL OR q.win = q.ticked)), '{}') AS breaks
         FROM unnest(n.win, n.was, n.moved_at, n.written_at, n.ticked) AS q (win, was, moved_at, written_at, ticked)
     ) m
     WHERE s.verdict IN ('same', 'write')
  ), written AS (
    UPDATE race_books b
       SET polled_at = c.at, book_at = COALESCE(c.book_at, b.book_at), epoch = c.epoch, attempt = c.attempt,
           reply_hash = COALESCE(c.hash, b.reply_hash), captured = c.in_capture,
           market_status = c.status, source_url = COALESCE(c.source_url, b.source_url),
           changed_at = CASE WHEN c.stands THEN b.changed_at ELSE c.at END,
           numbers = c.numbers, runner_keys = c.keys, win = c.win, place = c.places, top2 = c.top2, top3 = c.top3, top4 = c.top4, tote = c.tote,
           win_changed_at = c.win_moved_at, ticked_win = c.win_ticked,
           -- Only here: this clock is read under the lock of this table (`src/store/reads/changes.ts` relies on it).
           win_written_at = array_replace(c.win_written, 'infinity', clock_timestamp()),
           moved_written_at = CASE WHEN c.changed = 0 THEN b.moved_written_at ELSE clock_timestamp() END,
           offered_at = CASE WHEN c.book_status IS DISTINCT FROM 'CLOSED' AND c.priced AND (c.changed > 0 OR c.status = 'CLOSED') THEN c.polled_at
                             WHEN b.offered_at > c.at THEN c.at ELSE b.offered_at END
      FROM compared c
     WHERE NOT c.alone AND b.ctid = c.line AND b.xmin = c.version AND b.race_id = c.race AND b.bookmaker_key = c.book
    RETURNING c.*
  ), ticked AS (
    INSERT INTO price_ticks (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump,
                             win_price, place_price, top2_price, top3_price, top4_price, seen_before)
    SELECT c.at, c.race, c.book, n.number, n.key, floor(extract(epoch FROM c.starts - c.at))::integer,
           n.win, n.place, n.top2, n.top3, n.top4, c.polled_at
      FROM written c
     CROSS JOIN LATERAL unnest(c.numbers, c.keys, c.win, c.places, c.top2, c.top3, c.top4, c.ticked)
            AS n (number, key, win, place, top2, top3, top4, ticked)
     WHERE c.ticks > 0 AND n.win IS NOT NULL AND n.win IS DISTINCT FROM n.ticked
  ), broken AS (
    INSERT INTO price_breaks (at, race_id, bookmaker_key, runner_number, runner_key, shown, seen_before)
    SELECT c.at, c.race, c.book, n.number, n.key, n.shown, c.polled_at
      FROM written c
     CROSS JOIN LATERAL unnest(c.numbers, c.keys, c.shown, c.breaks) AS n (number, key, shown, is_break)
     WHERE n.is_break
  )
  SELECT c.place, c.race, CASE WHEN c.alone THEN 'alone' WHEN w.place IS NULL THEN 'again' ELSE 'written' END AS verdict,
         w.changed, w.ticks, w.card_differs, w.opens, w.at, c.start_version, c.market_closed_at
    FROM compared c LEFT JOIN written w USING (place)
   UNION ALL
  SELECT s.place, s.race, s.verdict, NULL, NULL, NULL, NULL, NULL, s.start_version, s.market_closed_at
    FROM stored s WHERE s.verdict NOT IN ('same', 'write')
  LOOP
    place := v.place;
    verdict := v.verdict;
    changed := COALESCE(v.changed, 0);
    ticks := COALESCE(v.ticks, 0);
    card_differs := COALESCE(v.card_differs, false);
    start_version := COALESCE(v.start_version, 0);
    start_moved := false;
    market_closed_at := v.market_closed_at;
    RETURN NEXT;
    IF v.opens THEN
      opened := opened || v.race;
      opened_at := opened_at || v.at;
    END IF;
  END LOOP;
  -- After every book's row: a poll locks the race's last.
  FOR v IN SELECT o.race, min(o.at) AS at FROM unnest(opened, opened_at) AS o (race, at) GROUP BY o.race ORDER BY o.race LOOP
    PERFORM announce_odds_open(v.race, v.at);
  END LOOP;
END $$;
