-- Takes back what a book's clock dated after its stored poll (`write_poll`): the ticks and breaks of the race at that instant and later. The
-- instant is read here, and is never earlier than an hour ago: a caller who rewrites the poll deletes no more. Runs as its owner, because no
-- process may delete ticks itself. How the book was polled until then is no longer known.
CREATE OR REPLACE FUNCTION take_back_ticks(p_race uuid, p_book text) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  since timestamptz := (SELECT GREATEST(b.polled_at, race_time(clock_timestamp()) - interval '1 hour')
                          FROM race_books b WHERE b.race_id = p_race AND b.bookmaker_key = p_book);
BEGIN
  DELETE FROM price_ticks WHERE race_id = p_race AND bookmaker_key = p_book AND captured_at >= since;
  DELETE FROM price_breaks WHERE race_id = p_race AND bookmaker_key = p_book AND at >= since;
  DELETE FROM poll_gaps WHERE race_id = p_race AND bookmaker_key = p_book;
END $$;
REVOKE ALL ON FUNCTION take_back_ticks(uuid, text) FROM PUBLIC;
