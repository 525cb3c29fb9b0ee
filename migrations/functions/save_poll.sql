-- One poll of one race at one book, written by one statement (`src/store` calls it).
CREATE OR REPLACE FUNCTION save_poll(
  p_race uuid, p_book text, p_epoch integer, p_attempt integer, p_at timestamptz, p_book_at timestamptz,
  p_reply_hash text, p_reply text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  held record;
  reply book_reply;
  starts timestamptz;
  in_capture boolean;
  win_moved_at timestamptz[];
  -- 'infinity' where this poll moved the price.
  win_written timestamptz[];
  win_ticked double precision[];
  changed integer;
  ticks integer := 0;
  version integer;
  closed_at timestamptz;
BEGIN
  IF p_reply IS NULL THEN
    -- Its prices are ticked already, or it is not yet, or no longer, time to capture.
    UPDATE race_books b
       SET polled_at = p_at, book_at = COALESCE(p_book_at, b.book_at), epoch = p_epoch, attempt = p_attempt
      FROM races r
     WHERE b.race_id = p_race AND b.bookmaker_key = p_book AND r.race_id = p_race
       AND (p_reply_hash IS NULL OR b.reply_hash = p_reply_hash)
       AND (b.epoch, b.attempt) <= (p_epoch, p_attempt) AND b.polled_at <= p_at
       AND (b.captured OR b.market_status = 'CLOSED' OR (r.market_status = 'CLOSED' AND p_at >= r.market_closed_at)
            OR p_at < r.start_time - interval '60 minutes')
    RETURNING r.start_version, r.market_closed_at INTO version, closed_at;
    IF FOUND THEN
      RETURN format('same|0|0|f|%s|f|%s', version, closed_at);
    END IF;
  ELSE
    reply := p_reply::book_reply;
  END IF;

  LOOP
    -- Read without a lock; the UPDATE below holds only if nobody wrote the row in between, else it is read again.
    SELECT b.xmin AS version, b.epoch, b.attempt, b.polled_at, b.market_status AS book_status, b.reply_hash, b.card_hash,
           b.numbers, b.runner_keys, b.win, b.place, b.top2, b.top3, b.top4, b.tote, b.win_changed_at, b.win_written_at,
           b.ticked_win, r.start_time, r.start_version, r.market_status, r.inplay, r.market_closed_at
      INTO held
      FROM race_books b JOIN races r USING (race_id)
     WHERE b.race_id = p_race AND b.bookmaker_key = p_book;
    IF NOT FOUND THEN
      RETURN 'unknown|0|0|f|0|f|';
    END IF;
    version := held.start_version;
    closed_at := held.market_closed_at;
    IF (held.epoch, held.attempt) > (p_epoch, p_attempt) THEN
      RETURN format('fenced|0|0|f|%s|f|%s', version, closed_at);
    ELSIF held.polled_at >= p_at THEN
      RETURN format('late|0|0|f|%s|f|%s', version, closed_at);
    ELSIF p_reply IS NULL AND p_reply_hash <> COALESCE(held.reply_hash, '') THEN
      RETURN format('resend|0|0|f|%s|f|%s', version, closed_at);
    END IF;

    IF p_reply IS NULL THEN
      reply := ROW(held.book_status, false, NULL, NULL, NULL, held.card_hash, held.numbers, held.runner_keys,
                   held.win, held.place, held.top2, held.top3, held.top4, held.tote);
    END IF;
    starts := COALESCE(reply.start_time, held.start_time);
    -- A reply from before the market shut may be written just after it.
    in_capture := p_at >= starts - interval '60 minutes' AND reply.market_status IS DISTINCT FROM 'CLOSED'
                  AND (reply.sets_market OR held.market_status IS DISTINCT FROM 'CLOSED' OR p_at < held.market_closed_at);

    -- Runners came, went or changed numbers: both sides over all numbers. One that went stays, without prices; one whose number
    -- now bears another name starts afresh: a price that was another runner's is NaN here, which no price equals, nor none.
    IF held.numbers <> reply.numbers OR held.runner_keys <> reply.runner_keys THEN
      SELECT array_agg(number ORDER BY number), array_agg(COALESCE(n.key, o.key) ORDER BY number),
             array_agg(n.win ORDER BY number), array_agg(n.place ORDER BY number), array_agg(n.top2 ORDER BY number),
             array_agg(n.top3 ORDER BY number), array_agg(n.top4 ORDER BY number),
             array_agg(CASE WHEN n.key <> o.key THEN o.win * 'NaN'::double precision ELSE o.win END ORDER BY number),
             array_agg(o.moved_at ORDER BY number), array_agg(o.written_at ORDER BY number),
             array_agg(CASE WHEN n.key <> o.key THEN NULL ELSE o.ticked END ORDER BY number)
        INTO reply.numbers, reply.runner_keys, reply.win, reply.place, reply.top2, reply.top3, reply.top4,
             held.win, held.win_changed_at, held.win_written_at, held.ticked_win
        FROM unnest(held.numbers, held.runner_keys, held.win, held.win_changed_at, held.win_written_at, held.ticked_win)
               AS o (number, key, win, moved_at, written_at, ticked)
        FULL JOIN unnest(reply.numbers, reply.runner_keys, reply.win, reply.place, reply.top2, reply.top3, reply.top4)
               AS n (number, key, win, place, top2, top3, top4) USING (number);
    END IF;

    SELECT array_agg(CASE WHEN n.win IS DISTINCT FROM n.held THEN p_at ELSE n.moved_at END),
           array_agg(CASE WHEN n.win IS DISTINCT FROM n.held THEN 'infinity' ELSE n.written_at END),
           array_agg(CASE WHEN in_capture THEN COALESCE(n.win, n.ticked) ELSE n.ticked END),
           count(*) FILTER (WHERE n.win IS DISTINCT FROM n.held)
      INTO win_moved_at, win_written, win_ticked, changed
      FROM unnest(reply.win, held.win, held.win_changed_at, held.win_written_at, held.ticked_win)
             AS n (win, held, moved_at, written_at, ticked);

    UPDATE race_books b
       SET polled_at = p_at, book_at = COALESCE(p_book_at, b.book_at), epoch = p_epoch, attempt = p_attempt,
           reply_hash = COALESCE(p_reply_hash, b.reply_hash), captured = in_capture,
           market_status = reply.market_status, source_url = COALESCE(reply.source_url, b.source_url),
           changed_at = CASE WHEN p_reply IS NULL THEN b.changed_at ELSE p_at END,
           numbers = COALESCE(reply.numbers, '{}'), runner_keys = COALESCE(reply.runner_keys, '{}'),
           win = COALESCE(reply.win, '{}'), place = COALESCE(reply.place, '{}'), top2 = COALESCE(reply.top2, '{}'),
           top3 = COALESCE(reply.top3, '{}'), top4 = COALESCE(reply.top4, '{}'), tote = reply.tote,
           win_changed_at = COALESCE(win_moved_at, '{}'), ticked_win = COALESCE(win_ticked, '{}'),
           -- Here and not before: the clock is looked at under the lock of this table.
           win_written_at = COALESCE(array_replace(win_written, 'infinity', clock_timestamp()), '{}'),
           moved_written_at = CASE WHEN changed = 0 THEN b.moved_written_at ELSE clock_timestamp() END,
           -- Not once the book is shut, nor while it shows no price at all: what it then moves was not on offer.
           offered_at = CASE WHEN held.book_status IS DISTINCT FROM 'CLOSED' AND array_remove(held.win, NULL) <> '{}'
                              AND (changed > 0 OR reply.market_status = 'CLOSED')
                             THEN held.polled_at ELSE b.offered_at END
     WHERE b.race_id = p_race AND b.bookmaker_key = p_book AND b.xmin = held.version;
    EXIT WHEN FOUND;
  END LOOP;

  -- Never twice at one instant: p_at is later than the poll held. The key of price_ticks would refuse it.
  IF in_capture AND held.ticked_win <> reply.win THEN
    INSERT INTO price_ticks (captured_at, race_id, bookmaker_key, runner_number, runner_key, secs_to_jump,
                             win_price, place_price, top2_price, top3_price, top4_price)
    SELECT p_at, p_race, p_book, n.number, n.key, floor(extract(epoch FROM starts - p_at))::integer,
           n.win, n.place, n.top2, n.top3, n.top4
      FROM unnest(reply.numbers, reply.runner_keys, reply.win, reply.place, reply.top2, reply.top3, reply.top4, held.ticked_win)
             AS n (number, key, win, place, top2, top3, top4, ticked)
     WHERE n.win IS NOT NULL AND n.win IS DISTINCT FROM n.ticked;
    GET DIAGNOSTICS ticks = ROW_COUNT;
  END IF;

  IF starts <> held.start_time
     OR (reply.sets_market AND reply.market_status IS DISTINCT FROM held.market_status)
     OR (reply.inplay IS NOT NULL AND reply.inplay IS DISTINCT FROM held.inplay) THEN
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
  RETURN format('written|%s|%s|%s|%s|%s|%s', changed, ticks, held.card_hash IS DISTINCT FROM reply.card_hash,
                version, version <> held.start_version, closed_at);
END $$;
