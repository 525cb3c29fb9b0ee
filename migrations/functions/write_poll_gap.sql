-- Trigger: notes that a book was not polled for more than two minutes, or that its first price was captured.
CREATE OR REPLACE FUNCTION write_poll_gap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO poll_gaps (at, race_id, bookmaker_key, seen_before) VALUES (NEW.polled_at, NEW.race_id, NEW.bookmaker_key, OLD.polled_at)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
