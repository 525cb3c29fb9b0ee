-- Past races whose archive or run store is older than their facts (D43, B 2.6), kept in the transaction of the fact, so that a pass reads what is due
-- and not all of history. A race is due until a pass has read facts at least as new as the change.
CREATE TABLE due_races (
  work text NOT NULL CHECK (work IN ('archive', 'runs')),
  race_id uuid NOT NULL,
  -- The transaction that changed a fact last: who read the facts before it may not settle it.
  changed_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (work, race_id)
);

CREATE FUNCTION race_due() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION runners_due() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;

CREATE TRIGGER past_race_due AFTER INSERT OR UPDATE ON races FOR EACH ROW
  WHEN (NEW.left_board_at IS NOT NULL) EXECUTE FUNCTION race_due();
CREATE TRIGGER result_due AFTER INSERT OR UPDATE ON race_results FOR EACH ROW EXECUTE FUNCTION race_due();
CREATE TRIGGER added_runners_due AFTER INSERT ON race_runners REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION runners_due();
CREATE TRIGGER changed_runners_due AFTER UPDATE ON race_runners REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION runners_due();
CREATE TRIGGER gone_runners_due AFTER DELETE ON race_runners REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION runners_due();

-- What is missing now. What is older than its facts is found by the audit.
INSERT INTO due_races (work, race_id)
SELECT 'archive', r.race_id FROM races r WHERE r.left_board_at IS NOT NULL AND NOT EXISTS (SELECT FROM archived_races a WHERE a.race_id = r.race_id);
INSERT INTO due_races (work, race_id)
SELECT 'runs', x.race_id FROM race_results x JOIN races r USING (race_id) LEFT JOIN filled_runs f USING (race_id)
 WHERE (f.result_at, f.race_at) IS DISTINCT FROM (x.updated_at, r.updated_at);

-- How far back the audit has compared: the race that it looked at last, by start and id. Null: it begins with the newest.
CREATE TABLE archive_audit (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  before_start timestamptz,
  before_race uuid
);
INSERT INTO archive_audit DEFAULT VALUES;
CREATE INDEX races_past ON races (start_time DESC, race_id DESC) WHERE left_board_at IS NOT NULL;

-- Days to reconcile (D48) are found by when a race of them was archived.
CREATE INDEX archived_races_lately ON archived_races (archived_at);
