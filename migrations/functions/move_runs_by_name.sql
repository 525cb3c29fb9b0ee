-- Trigger on races: the runs of a race that is moved carry its new start.
CREATE OR REPLACE FUNCTION move_runs_by_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE runs_by_name SET start_time = NEW.start_time WHERE race_id = NEW.race_id;
  RETURN NULL;
END $$;
