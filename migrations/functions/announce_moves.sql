-- Trigger on races: announces that the advertised start moved and that the track changed, each against what customers saw last. Only while the race
-- is on the board and ahead: what moved out of sight is announced when the race comes back. A start that is put back is a move of its own.
CREATE OR REPLACE FUNCTION announce_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  seen announced_races;
  track text := shown_track(NEW.country, NEW.track_condition);
BEGIN
  -- Before anything was announced of it, customers saw it as it was; one that is delayed too.
  IF OLD.country IS NOT NULL AND OLD.left_board_at IS NULL AND (shown_ahead(OLD) OR shown_ahead(NEW)) THEN
    INSERT INTO announced_races (race_id, start_time, track_condition)
    VALUES (OLD.race_id, OLD.start_time, shown_track(OLD.country, OLD.track_condition)) ON CONFLICT DO NOTHING;
  END IF;
  IF NOT shown_ahead(NEW) THEN
    RETURN NULL;
  END IF;
  SELECT a.* INTO seen FROM announced_races a WHERE a.race_id = NEW.race_id FOR UPDATE;
  IF seen.race_id IS NULL THEN
    RETURN NULL;
  END IF;
  IF NEW.start_time <> seen.start_time THEN
    seen.starts := seen.starts + 1;
    PERFORM write_event(
      format('race.start_moved %s %s', NEW.race_id, seen.starts), 'race.start_moved', NEW, NULL, NEW.updated_at,
      jsonb_build_object('previous_start_time', instant_text(seen.start_time)));
  END IF;
  -- The first condition that is stated is no change, nor is another spelling of the same (A 2.9).
  IF track_meaning(track) <> track_meaning(seen.track_condition) THEN
    seen.tracks := seen.tracks + 1;
    PERFORM write_event(
      format('race.track_changed %s %s', NEW.race_id, seen.tracks), 'race.track_changed', NEW, NULL, NEW.updated_at,
      jsonb_build_object('track_condition', track, 'previous_track_condition', seen.track_condition));
  END IF;
  UPDATE announced_races
     SET start_time = NEW.start_time, starts = seen.starts, tracks = seen.tracks,
         track_condition = CASE WHEN track_meaning(track) IS NULL THEN seen.track_condition ELSE track END
   WHERE race_id = NEW.race_id;
  RETURN NULL;
END $$;
