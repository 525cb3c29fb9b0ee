-- Trigger on races and race_results: the archive and the run store of this race are due.
CREATE OR REPLACE FUNCTION race_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_due(ARRAY[NEW.race_id]);
  RETURN NULL;
END $$;
