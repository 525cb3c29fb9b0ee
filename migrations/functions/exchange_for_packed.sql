-- Deletes the rows of a race that were just packed, if unpacking gives exactly those; otherwise all that is packed of the race: its caller packs none that
-- has something packed. Returns how many were packed; -1: the packed ones would differ, and nothing was done.
CREATE OR REPLACE FUNCTION exchange_for_packed(p_race archived_races, of_rows name, of_packed name, of_both name) RETURNS integer LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  packed integer;
  differing integer;
  deleted integer;
BEGIN
  -- The view has the rows and what was packed of them: each twice, or something differs.
  EXECUTE format($q$
    SELECT count(*) FILTER (WHERE n <> 2), count(*)
      FROM (SELECT count(*) AS n FROM %I p WHERE p.start_time = $1 AND p.race_id = $2 GROUP BY p.*) same $q$, of_both)
    INTO differing, packed USING p_race.start_time, p_race.race_id;
  IF differing > 0 THEN
    EXECUTE format('DELETE FROM %I WHERE start_time = $1 AND race_id = $2', of_packed) USING p_race.start_time, p_race.race_id;
    RETURN -1;
  END IF;
  EXECUTE format('DELETE FROM %I WHERE start_time = $1 AND race_id = $2', of_rows) USING p_race.start_time, p_race.race_id;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  IF deleted <> packed THEN
    RAISE EXCEPTION '% rows of race % deleted, and % were packed', deleted, p_race.race_id, packed;
  END IF;
  RETURN packed;
END $$;
REVOKE ALL ON FUNCTION exchange_for_packed(archived_races, name, name, name) FROM PUBLIC;
