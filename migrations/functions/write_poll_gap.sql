-- Trigger: notes that a book was not polled for more than two minutes, or that its first price was captured. Runs as its owner:
-- nobody else writes these rows, and polls go on before anybody has rights to the table.
CREATE OR REPLACE FUNCTION write_poll_gap() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO poll_gaps (at, race_id, bookmaker_key, seen_before) VALUES (NEW.polled_at, NEW.race_id, NEW.bookmaker_key, OLD.polled_at)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION write_poll_gap() FROM PUBLIC;
