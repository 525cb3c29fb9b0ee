-- Drops the parts of `price_path_rows` that ended before `p_before` and have no row left: their races are packed. A part is locked before that is read once
-- more. Runs as its owner, because only the owner of a table may drop a part of it. Returns how many went.
CREATE OR REPLACE FUNCTION drop_packed_rows(p_before timestamptz) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s' AS $$
DECLARE
  chunk record;
  holds_rows boolean;
  dropped integer := 0;
BEGIN
  FOR chunk IN
    SELECT format('%I.%I', chunk_schema, chunk_name) AS name, range_start, range_end FROM timescaledb_information.chunks
     WHERE hypertable_schema = 'public' AND hypertable_name = 'price_path_rows' AND range_end <= p_before ORDER BY range_start
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', chunk.name) INTO holds_rows;
    CONTINUE WHEN holds_rows;
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', chunk.name);
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', chunk.name) INTO holds_rows;
    CONTINUE WHEN holds_rows;
    PERFORM drop_chunks('price_path_rows', older_than => chunk.range_end, newer_than => chunk.range_start);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END $$;
REVOKE ALL ON FUNCTION drop_packed_rows(timestamptz) FROM PUBLIC;
