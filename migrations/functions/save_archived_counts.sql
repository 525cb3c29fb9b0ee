-- Stores how many rows of an archived race customers may read, as counted while they were written, and adds them to its day and to the totals. Runs as
-- its owner (`count_archived_race`).
CREATE OR REPLACE FUNCTION save_archived_counts(
  p_race uuid, p_split boolean, p_what text[], p_series text[], p_closing boolean[], p_baseline boolean[], p_fragment boolean[],
  p_scratched boolean[], p_n integer[])
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM archived_counts WHERE race_id = p_race;
  INSERT INTO archived_counts (race_id, what, series, closing, baseline, split, fragment, scratched, n)
  SELECT p_race, c.what, c.series, c.closing, c.baseline, p_split, c.fragment, c.scratched, c.n
    FROM unnest(p_what, p_series, p_closing, p_baseline, p_fragment, p_scratched, p_n) AS c (what, series, closing, baseline, fragment, scratched, n);
  PERFORM add_archived_day(p_race, 1);
END $$;
REVOKE ALL ON FUNCTION save_archived_counts(uuid, boolean, text[], text[], boolean[], boolean[], boolean[], boolean[], integer[]) FROM PUBLIC;
