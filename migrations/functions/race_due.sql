-- Trigger on races and race_results: the archive and the run store of this race are due (migration 0080).
CREATE OR REPLACE FUNCTION race_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due(ARRAY[NEW.race_id]);
  RETURN NULL;
END $$;
