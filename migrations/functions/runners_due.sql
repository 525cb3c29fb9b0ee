-- Trigger on race_runners: races off the board of which a runner was written. Races on the board are marked when they leave it.
CREATE OR REPLACE FUNCTION runners_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  past uuid[] := ARRAY(SELECT DISTINCT w.race_id FROM written w JOIN races r USING (race_id) WHERE r.left_board_at IS NOT NULL);
BEGIN
  IF past <> '{}' THEN
    PERFORM mark_due(past);
  END IF;
  RETURN NULL;
END $$;
