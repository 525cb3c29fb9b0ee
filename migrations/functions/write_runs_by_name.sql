-- Trigger on race_results: the runs by which form (A 4.13) is looked up follow from the result.
CREATE OR REPLACE FUNCTION write_runs_by_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM runs_by_name WHERE race_id = NEW.race_id;
  INSERT INTO runs_by_name (race_id, number, category, runner_key, name, runner_ref, start_time)
  SELECT r.race_id, e.number, r.category, e.runner_key, e.name, e.runner_ref, r.start_time
    FROM races r CROSS JOIN LATERAL runs_of(NEW) e WHERE r.race_id = NEW.race_id;
  RETURN NULL;
END $$;
