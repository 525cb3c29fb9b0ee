-- Stamps the freshness of unchanged polls, a poll a row of the arrays. Returns the place of each that was stamped, from 1; for one that is left
-- out `write_poll` finds the verdict. Called by `src/store` alone, whose arrays are in the order in which every batch locks.
--
-- The plan is pinned: made anew for each call it cost more than its execution. Does not wait for the disk: a stamp that a crash loses leaves an
-- older freshness, which is never untrue, and any later commit that waits for the disk saves it too.
CREATE OR REPLACE FUNCTION stamp_polls(
  p_races uuid[], p_books text[], p_epochs integer[], p_attempts integer[], p_ats timestamptz[], p_book_ats timestamptz[], p_hashes text[])
RETURNS TABLE (place integer, start_version integer, market_closed_at timestamptz) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  RETURN QUERY
  UPDATE race_books b
     SET polled_at = a.at, book_at = COALESCE(a.book_at, b.book_at), epoch = a.epoch, attempt = a.attempt
    FROM unnest(p_races, p_books, p_epochs, p_attempts, p_ats, p_book_ats, p_hashes)
           WITH ORDINALITY AS a (race_id, book, epoch, attempt, at, book_at, hash, place)
    JOIN races r USING (race_id)
   WHERE b.race_id = a.race_id AND b.bookmaker_key = a.book
     AND freshness_verdict(b.epoch, b.attempt, b.polled_at, b.book_at, b.reply_hash, b.captured, b.market_status,
                           r.start_time, r.market_status, r.market_closed_at,
                           a.epoch, a.attempt, a.at, a.book_at, a.hash, false) = 'same'
     -- write_poll corrects a time ahead of the database's clock.
     AND (a.at > race_time(statement_timestamp() + interval '1 second')) IS NOT TRUE
  RETURNING a.place::integer, r.start_version, r.market_closed_at;
END $$;
