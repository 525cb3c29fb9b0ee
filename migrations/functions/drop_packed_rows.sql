-- Drops the oldest part of the rows of price paths or closing lines that ended before `p_before` and has no row left: its races are packed. One a call, because the part is locked
-- until that commits. It is read once more under the lock. Runs as its owner, because only the owner of a table may drop a part of it. Returns how many
-- went: 1 or 0.
CREATE OR REPLACE FUNCTION drop_packed_rows(p_before timestamptz) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s' AS $$
DECLARE
  chunk record;
  holds_rows boolean;
BEGIN
  FOR chunk IN
    SELECT hypertable_name AS of_rows, format('%I.%I', chunk_schema, chunk_name) AS name, range_start, range_end FROM timescaledb_information.chunks
     WHERE hypertable_schema = 'public' AND hypertable_name IN ('price_path_rows', 'withheld_path_rows', 'closing_line_rows', 'withheld_line_rows')
       AND range_end <= p_before
     ORDER BY range_start, 1
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', chunk.name) INTO holds_rows;
    CONTINUE WHEN holds_rows;
    EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', chunk.name);
    EXECUTE format('SELECT EXISTS (SELECT FROM %s)', chunk.name) INTO holds_rows;
    IF holds_rows THEN
      RETURN 0;
    END IF;
    PERFORM drop_chunks(chunk.of_rows::regclass, older_than => chunk.range_end, newer_than => chunk.range_start);
    RETURN 1;
  END LOOP;
  RETURN 0;
END $$;
REVOKE ALL ON FUNCTION drop_packed_rows(timestamptz) FROM PUBLIC;
