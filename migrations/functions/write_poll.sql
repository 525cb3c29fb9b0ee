-- One report of one book on one race, compared with the stored row and written with everything that follows from it: prices, marks, ticks,
-- and what the report may change of the race itself. A function, so that a poll costs one round trip. Called by `src/store` alone.
--
-- Without p_reply the stored prices stand as of p_at: p_reply_hash null is a 304, otherwise it is the hash of an equal reply, and if that is
-- not the stored one the verdict requests the reply itself.
-- Verdict: `written`, or why nothing was: `unknown` (the book does not list the race) or one of `freshness_verdict`.
--
-- No time ahead of the database's clock is stored, by more than the second in which two right clocks may differ. One that a wrong clock left
-- is not newer than this report: the report replaces it, and what was stamped after p_at is stamped again.
--
-- Its plans are pinned: every row is found by its key, and plans made anew for each poll's arrays cost a fifth of PostgreSQL's time.
CREATE OR REPLACE FUNCTION write_poll(
  p_race uuid, p_book text, p_epoch integer, p_attempt integer, p_at timestamptz, p_book_at timestamptz,
  p_reply_hash text, p_reply text)
RETURNS poll_verdict LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  stored record;
  reply book_reply;
  starts timestamptz;
  in_capture boolean;
  win_moved_at timestamptz[];
  -- 'infinity' where this poll moved the price.
  win_written timestamptz[];
  win_ticked double precision[];
  changed integer;
  ticks integer := 0;
  -- Captured prices that the book stopped showing, or shows again.
  breaks integer;
  was_open boolean;
  is_open boolean;
  version integer;
  closed_at timestamptz;
  -- The stored poll is ahead of the clock.
  ahead boolean;
BEGIN
  IF p_at > race_time(clock_timestamp() + interval '1 second') THEN
    p_at := date_trunc('milliseconds', race_time(clock_timestamp()));
  END IF;
  LOOP
    -- Read without a lock; the UPDATE below matches only if the row was not written in between, else it is read again.
    SELECT b.xmin AS version, b.polled_at, b.market_status AS book_status, b.card_hash,
           b.numbers, b.runner_keys, b.win, b.place, b.top2, b.top3, b.top4, b.tote, b.win_changed_at, b.win_written_at,
           b.ticked_win, r.start_time, r.start_version, r.market_status, r.inplay, r.market_closed_at, r.odds_open,
           freshness_verdict(b.epoch, b.attempt,
                             CASE WHEN b.polled_at >= p_at AND b.polled_at > race_time(clock_timestamp() + interval '1 second')
                                  THEN NULL ELSE b.polled_at END, b.book_at, b.reply_hash, b.captured, b.market_status,
                             r.start_time, r.market_status, r.market_closed_at,
                             p_epoch, p_attempt, p_at, p_book_at, p_reply_hash, p_reply IS NOT NULL) AS verdict
      INTO stored
      FROM race_books b JOIN races r USING (race_id)
     WHERE b.race_id = p_race AND b.bookmaker_key = p_book;
    IF NOT FOUND THEN
      RETURN ('unknown', 0, 0, false, 0, false, NULL)::poll_verdict;
    END IF;
    version := stored.start_version;
    closed_at := stored.market_closed_at;
    IF stored.verdict NOT IN ('same', 'write') THEN
      RETURN (stored.verdict, 0, 0, false, version, false, closed_at)::poll_verdict;
    END IF;
    ahead := COALESCE(stored.polled_at >= p_at, false);
    IF ahead THEN
      stored.polled_at := p_at;
      -- Its ticks go, and what is quoted now is captured again.
      stored.ticked_win := array_fill(NULL::double precision, ARRAY[cardinality(stored.ticked_win)]);
    END IF;

    IF p_reply IS NULL THEN
      reply := ROW(stored.book_status, false, NULL, NULL, NULL, stored.card_hash, stored.numbers, stored.runner_keys,
                   stored.win, stored.place, stored.top2, stored.top3, stored.top4, stored.tote);
    ELSE
      reply := p_reply::book_reply;
    END IF;
    starts := COALESCE(reply.start_time, stored.start_time);
    in_capture := captures_prices(p_at, starts, reply.market_status,
                                  CASE WHEN reply.sets_market THEN reply.market_status ELSE stored.market_status END,
                                  stored.market_closed_at);

    -- Runners came, went or changed numbers: align both sides to all numbers. A runner that went stays, without prices. A number that
    -- passed to another runner starts again: the former runner's price is NaN here, which equals neither a price nor null.
    IF stored.numbers <> reply.numbers OR stored.runner_keys <> reply.runner_keys THEN
      SELECT array_agg(number ORDER BY number), array_agg(COALESCE(n.key, o.key) ORDER BY number),
             array_agg(n.win ORDER BY number), array_agg(n.place ORDER BY number), array_agg(n.top2 ORDER BY number),
             array_agg(n.top3 ORDER BY number), array_agg(n.top4 ORDER BY number),
             array_agg(CASE WHEN n.key <> o.key THEN o.win * 'NaN'::double precision ELSE o.win END ORDER BY number),
             array_agg(o.moved_at ORDER BY number), array_agg(o.written_at ORDER BY number),
             array_agg(CASE WHEN n.key <> o.key THEN NULL ELSE o.ticked END ORDER BY number)
        INTO reply.numbers, reply.runner_keys, reply.win, reply.place, reply.top2, reply.top3, reply.top4,
             stored.win, stored.win_changed_at, stored.win_written_at, stored.ticked_win
        FROM unnest(stored.numbers, stored.runner_keys, stored.win, stored.win_changed_at, stored.win_written_at, stored.ticked_win)
               AS o (number, key, win, moved_at, written_at, ticked)
        FULL JOIN unnest(reply.numbers, reply.runner_keys, reply.win, reply.place, reply.top2, reply.top3, reply.top4)
               AS n (number, key, win, place, top2, top3, top4) USING (number);
    END IF;

    was_open := stored.book_status IS DISTINCT FROM 'CLOSED';
    is_open := reply.market_status IS DISTINCT FROM 'CLOSED';
    SELECT array_agg(CASE WHEN n.win IS DISTINCT FROM n.stored OR n.moved_at > p_at THEN p_at ELSE n.moved_at END),
           array_agg(CASE WHEN n.win IS DISTINCT FROM n.stored THEN 'infinity' ELSE n.written_at END),
           array_agg(CASE WHEN in_capture THEN COALESCE(n.win, n.ticked) ELSE n.ticked END),
           count(*) FILTER (WHERE n.win IS DISTINCT FROM n.stored),
           count(*) FILTER (WHERE ((was_open AND n.stored = n.ticked) IS TRUE) <> ((is_open AND n.win = n.ticked) IS TRUE)
                              AND (NOT in_capture OR n.win IS NULL OR n.win = n.ticked))
      INTO win_moved_at, win_written, win_ticked, changed, breaks
      FROM unnest(reply.win, stored.win, stored.win_changed_at, stored.win_written_at, stored.ticked_win)
             AS n (win, stored, moved_at, written_at, ticked);

    UPDATE race_books b
       SET polled_at = p_at, book_at = COALESCE(p_book_at, b.book_at), epoch = p_epoch, attempt = p_attempt,
           reply_hash = COALESCE(p_reply_hash, b.reply_hash), captured = in_capture,
           market_status = reply.market_status, source_url = COALESCE(reply.source_url, b.source_url),
           changed_at = CASE WHEN p_reply IS NULL AND NOT ahead THEN b.changed_at ELSE p_at END,
           numbers = COALESCE(reply.numbers, '{}'), runner_keys = COALESCE(reply.runner_keys, '{}'),
           win = COALESCE(reply.win, '{}'), place = COALESCE(reply.place, '{}'), top2 = COALESCE(reply.top2, '{}'),
           top3 = COALESCE(reply.top3, '{}'), top4 = COALESCE(reply.top4, '{}'), tote = reply.tote,
           win_changed_at = COALESCE(win_moved_at, '{}'), ticked_win = COALESCE(win_ticked, '{}'),
           -- Only here: this clock is read under the lock of this table (`src/store/reads/races/changes.ts` relies on it).
           win_written_at = COALESCE(array_replace(win_written, 'infinity', clock_timestamp()), '{}'),
           moved_written_at = CASE WHEN changed = 0 THEN b.moved_written_at ELSE clock_timestamp() END,
           -- Read by processes of the release before, and for races that jumped before breaks were kept. Not once the book is closed, nor
           -- while it shows no price at all: what it then moves was not on offer.
           offered_at = CASE WHEN stored.book_status IS DISTINCT FROM 'CLOSED' AND array_remove(stored.win, NULL) <> '{}'
                              AND (changed > 0 OR reply.market_status = 'CLOSED')
                             THEN stored.polled_at WHEN b.offered_at > p_at THEN p_at ELSE b.offered_at END
     WHERE b.race_id = p_race AND b.bookmaker_key = p_book AND b.xmin = stored.version;
    EXIT WHEN FOUND;
  END LOOP;

  IF ahead THEN
    PERFORM take_back_ticks(p_race, p_book);
    stored.polled_at := NULL;
  END IF;
  -- Never twice at one instant, which the key of price_ticks would refuse: p_at is later than the stored poll.
  IF in_capture AND stored.ticked_win <> reply.win THEN
    INSERT INTO price_ticks (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump,
                             win_price, place_price, top2_price, top3_price, top4_price, seen_before)
    SELECT p_at, p_race, p_book, n.number, n.key, floor(extract(epoch FROM starts - p_at))::integer,
           n.win, n.place, n.top2, n.top3, n.top4, stored.polled_at
      FROM unnest(reply.numbers, reply.runner_keys, reply.win, reply.place, reply.top2, reply.top3, reply.top4, stored.ticked_win)
             AS n (number, key, win, place, top2, top3, top4, ticked)
     WHERE n.win IS NOT NULL AND n.win IS DISTINCT FROM n.ticked;
    GET DIAGNOSTICS ticks = ROW_COUNT;
  END IF;
  -- As counted above: a new price that is captured ends the one before by its tick.
  IF breaks > 0 THEN
    INSERT INTO price_breaks (at, race_id, bookmaker_key, runner_number, runner_key, shown, seen_before)
    SELECT p_at, p_race, p_book, n.number, n.key, (is_open AND n.win = n.ticked) IS TRUE, stored.polled_at
      FROM unnest(reply.numbers, reply.runner_keys, reply.win, stored.win, stored.ticked_win) AS n (number, key, win, stored, ticked)
     WHERE ((was_open AND n.stored = n.ticked) IS TRUE) <> ((is_open AND n.win = n.ticked) IS TRUE)
       AND (NOT in_capture OR n.win IS NULL OR n.win = n.ticked);
  END IF;

  IF starts <> stored.start_time
     OR (reply.sets_market AND reply.market_status IS DISTINCT FROM stored.market_status)
     OR (reply.inplay IS NOT NULL AND reply.inplay IS DISTINCT FROM stored.inplay) THEN
    UPDATE races r
       SET start_time = starts,
           start_version = r.start_version + (r.start_time <> starts)::integer,
           market_status = CASE WHEN reply.sets_market THEN reply.market_status ELSE r.market_status END,
           market_state_source = CASE WHEN reply.sets_market THEN p_book ELSE r.market_state_source END,
           -- Set once: a later reopen does not change it (A 2.2).
           market_closed_at = CASE WHEN reply.sets_market AND reply.market_status = 'CLOSED'
                                   THEN COALESCE(r.market_closed_at, p_at) ELSE r.market_closed_at END,
           inplay = COALESCE(reply.inplay, r.inplay),
           inplay_at = CASE WHEN reply.inplay THEN COALESCE(r.inplay_at, p_at) ELSE r.inplay_at END,
           updated_at = GREATEST(r.updated_at, p_at)
     WHERE r.race_id = p_race
    RETURNING r.start_version, r.market_closed_at INTO version, closed_at;
  END IF;
  IF NOT stored.odds_open AND changed > 0 AND market_state_shown(p_book) THEN
    PERFORM announce_odds_open(p_race, p_at);
  END IF;
  RETURN ('written', changed, ticks, stored.card_hash IS DISTINCT FROM reply.card_hash,
          version, version <> stored.start_version, closed_at)::poll_verdict;
END $$;
