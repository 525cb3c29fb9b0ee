-- Packs the price paths of a race whose prices are fixed (`clear_archived_race`), those of customers' books and the withheld ones, and both kinds of its
-- closing lines. Those of a race that was archived from kept ticks are fixed by this: all of its ticks were dropped before, so no day's drop noted it.
-- What would differ keeps its rows and does not stop the others; a race of which nothing is packed is not fixed by it. Runs as its owner, because no process
-- deletes from the archive itself. Returns how many rows were packed; null: its prices may still change, or all is packed; -1: some would differ.
CREATE OR REPLACE FUNCTION pack_price_paths(p_race uuid, p_at timestamptz) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  race archived_races;
  shown integer := 0;
  withheld integer := 0;
  lines_shown integer := 0;
  lines_withheld integer := 0;
  fixed boolean;
BEGIN
  -- As its archiver does: one of them at a time.
  PERFORM pg_advisory_xact_lock(hashtextextended(p_race::text, 18));
  SELECT * INTO race FROM archived_races
   WHERE race_id = p_race AND (paths_packed_at IS NULL OR withheld_packed_at IS NULL OR lines_packed_at IS NULL);
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF race.ticks_dropped_at IS NULL THEN
    IF EXISTS (SELECT FROM price_ticks t WHERE t.race_id = p_race) THEN
      RETURN NULL;
    END IF;
  END IF;
  IF race.paths_packed_at IS NULL THEN
    shown := pack_paths(race, false);
  END IF;
  IF race.withheld_packed_at IS NULL THEN
    withheld := pack_paths(race, true);
  END IF;
  IF race.lines_packed_at IS NULL THEN
    lines_shown := pack_lines(race, false);
    lines_withheld := pack_lines(race, true);
  END IF;
  fixed := race.ticks_dropped_at IS NOT NULL OR GREATEST(shown, withheld, lines_shown, lines_withheld) > 0;
  -- No mark while its prices may be written: rows could follow it.
  UPDATE archived_races
     SET paths_packed_at = COALESCE(paths_packed_at, CASE WHEN fixed AND shown >= 0 THEN p_at END),
         withheld_packed_at = COALESCE(withheld_packed_at, CASE WHEN fixed AND withheld >= 0 THEN p_at END),
         lines_packed_at = COALESCE(lines_packed_at, CASE WHEN fixed AND LEAST(lines_shown, lines_withheld) >= 0 THEN p_at END),
         ticks_dropped_at = COALESCE(ticks_dropped_at, CASE WHEN fixed THEN p_at END),
         packing_tried_at = p_at
   WHERE race_id = p_race;
  RETURN CASE WHEN LEAST(shown, withheld, lines_shown, lines_withheld) < 0 THEN -1 ELSE shown + withheld + lines_shown + lines_withheld END;
END $$;
REVOKE ALL ON FUNCTION pack_price_paths(uuid, timestamptz) FROM PUBLIC;
