-- Drops the ticks, breaks and gaps of one UTC day, and those of the exchange, if every race with a tick in it is verified (D48); otherwise nothing. The
-- chunks are locked against writers first, so that what is verified is what is dropped. Runs as its owner, because only the owner of a table may
-- drop a part of it: that is why it verifies itself. Returns the number of races and markets that are not verified; 0: the day is gone.
CREATE OR REPLACE FUNCTION drop_archived_ticks(p_day date, p_at timestamptz) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s' AS $$
DECLARE
  since timestamptz := p_day::timestamptz;
  until timestamptz := (p_day + 1)::timestamptz;
  chunk record;
  unverified integer;
BEGIN
  FOR chunk IN
    SELECT format('%I.%I', chunk_schema, chunk_name) AS name FROM timescaledb_information.chunks
     WHERE hypertable_schema = 'public' AND hypertable_name IN ('price_ticks', 'price_breaks', 'poll_gaps', 'exchange_ticks') AND range_start >= since AND range_end <= until
     ORDER BY 1
  LOOP
    EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', chunk.name);
  END LOOP;
  SELECT (SELECT count(*) FROM unarchived_ticks(since, until)) + (SELECT count(*) FROM unarchived_exchange_ticks(since, until)) INTO unverified;
  IF unverified > 0 THEN
    RETURN unverified;
  END IF;
  UPDATE archived_races r SET ticks_dropped_at = p_at
   WHERE r.ticks_dropped_at IS NULL
     AND r.race_id IN (SELECT t.race_id FROM price_ticks t WHERE t.captured_at >= since AND t.captured_at < until
                       UNION ALL
                       SELECT m.race_id FROM exchange_ticks e JOIN exchange_markets m USING (market_id) WHERE e.at >= since AND e.at < until);
  PERFORM drop_chunks('price_ticks', older_than => until, newer_than => since);
  PERFORM drop_chunks('price_breaks', older_than => until, newer_than => since);
  PERFORM drop_chunks('poll_gaps', older_than => until, newer_than => since);
  PERFORM drop_chunks('exchange_ticks', older_than => until, newer_than => since);
  RETURN 0;
END $$;
REVOKE ALL ON FUNCTION drop_archived_ticks(date, timestamptz) FROM PUBLIC;
