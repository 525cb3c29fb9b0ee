-- Deletes the rows of one archived race before they are written again (`src/store/archive/archive.ts`): its prices only while its ticks stand, from which they
-- follow; with `p_paths` its price paths too. Runs as its owner, because no process may delete from the archive itself.
CREATE OR REPLACE FUNCTION clear_archived_race(p_race uuid, p_paths boolean) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  race archived_races := (SELECT r FROM archived_races r WHERE r.race_id = p_race);
BEGIN
  DELETE FROM archived_runners WHERE race_id = p_race;
  IF race.ticks_dropped_at IS NOT NULL THEN
    RETURN;
  END IF;
  DELETE FROM closing_line_rows WHERE start_time = race.start_time AND race_id = p_race;
  DELETE FROM withheld_line_rows WHERE start_time = race.start_time AND race_id = p_race;
  DELETE FROM archived_marks WHERE race_id = p_race;
  DELETE FROM archived_summaries WHERE start_time = race.start_time AND race_id = p_race;
  IF p_paths THEN
    DELETE FROM price_path_rows WHERE start_time = race.start_time AND race_id = p_race;
    DELETE FROM withheld_path_rows WHERE start_time = race.start_time AND race_id = p_race;
  END IF;
END $$;
REVOKE ALL ON FUNCTION clear_archived_race(uuid, boolean) FROM PUBLIC;
