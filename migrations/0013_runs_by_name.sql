-- Who ran in which race, by folded name: what form (A 4.13) is looked up by. Nothing here is a fact of its own: every row follows from a
-- result, its race and its card, and is written by triggers, so that no writer of results can forget it.
CREATE TABLE runs_by_name (
  race_id uuid NOT NULL REFERENCES race_results ON DELETE CASCADE,
  number smallint NOT NULL,
  category text NOT NULL,
  -- As `runnerKey` folds it.
  runner_key text NOT NULL,
  name text NOT NULL,
  runner_ref text,
  start_time timestamptz NOT NULL,
  PRIMARY KEY (race_id, number)
);
CREATE INDEX runs_by_name_newest ON runs_by_name (category, runner_key, start_time DESC, race_id, number);
-- A dog's id is the same in every race; a horse's changes each day (A 2.1).
CREATE INDEX runs_by_name_of_dog ON runs_by_name (runner_ref, start_time DESC, race_id, number) WHERE category = 'greyhound';

-- `runnerKey` of src/domain/runner.ts, which a test holds it against.
CREATE FUNCTION fold_runner_name(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(lower(normalize(regexp_replace(name,
    '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*\([a-zA-Z]{2,3}\)[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*$',
    ''), NFKD) COLLATE "C"), '[^a-z0-9]', '', 'g')
$$;

-- The runs of one result. Of the official field where it is held: those that ran. Otherwise the card's runners but for those that are out
-- and emergencies, and every placegetter whatever the card says of it. An empty box never runs; neither does anybody before there is a placing.
CREATE FUNCTION runs_of(result race_results) RETURNS TABLE (number smallint, runner_key text, name text, runner_ref text)
LANGUAGE sql STABLE AS $$
  SELECT DISTINCT ON (e.number) e.number, fold_runner_name(e.name), e.name, e.runner_ref
    FROM (SELECT o.number, o.name, o.runner_ref, 1 AS believed
            FROM jsonb_to_recordset(result.runners) AS o (number smallint, name text, runner_ref text, status text)
           WHERE o.status = 'ran'
          UNION ALL
          SELECT u.number, u.name, u.runner_ref, 2
            FROM race_runners u
           WHERE u.race_id = result.race_id AND result.runners IS NULL
             AND (NOT (u.scratched OR COALESCE(u.emergency, false))
                  OR result.placings @> jsonb_build_array(jsonb_build_object('number', u.number)))
          UNION ALL
          SELECT p.number, p.name, NULL, 3
            FROM jsonb_to_recordset(result.placings) AS p (number smallint, name text)
           WHERE result.runners IS NULL) e
   WHERE result.status <> 'abandoned' AND (result.runners IS NOT NULL OR result.placings_key <> '')
     AND fold_runner_name(e.name) NOT IN ('', 'vacant', 'vacantbox')
   ORDER BY e.number, e.believed
$$;

CREATE FUNCTION write_runs_by_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM runs_by_name WHERE race_id = NEW.race_id;
  INSERT INTO runs_by_name (race_id, number, category, runner_key, name, runner_ref, start_time)
  SELECT r.race_id, e.number, r.category, e.runner_key, e.name, e.runner_ref, r.start_time
    FROM races r CROSS JOIN LATERAL runs_of(NEW) e WHERE r.race_id = NEW.race_id;
  RETURN NULL;
END $$;
CREATE TRIGGER runs_of_result AFTER INSERT ON race_results FOR EACH ROW EXECUTE FUNCTION write_runs_by_name();
-- Also when nothing of the outcome moved but its status: the card may have, until then.
CREATE TRIGGER runs_of_changed_result AFTER UPDATE ON race_results FOR EACH ROW
  WHEN ((OLD.status, OLD.placings, OLD.runners) IS DISTINCT FROM (NEW.status, NEW.placings, NEW.runners))
  EXECUTE FUNCTION write_runs_by_name();

CREATE FUNCTION move_runs_by_name() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE runs_by_name SET start_time = NEW.start_time WHERE race_id = NEW.race_id;
  RETURN NULL;
END $$;
CREATE TRIGGER runs_of_moved_race AFTER UPDATE ON races FOR EACH ROW
  WHEN (OLD.start_time <> NEW.start_time) EXECUTE FUNCTION move_runs_by_name();

INSERT INTO runs_by_name (race_id, number, category, runner_key, name, runner_ref, start_time)
SELECT r.race_id, e.number, r.category, e.runner_key, e.name, e.runner_ref, r.start_time
  FROM races r JOIN race_results x USING (race_id) CROSS JOIN LATERAL runs_of(x) e;
