-- Where the polls of a book left more than two minutes without a look at a race of which it had captured prices: whether a quote was stale at an
-- instant cannot be seen from change-only ticks. The first poll that captures a price has a row too: from then on every gap of that book at the race
-- is here, and before it nothing is known. Goes with the ticks, or is kept
-- with them.
CREATE TABLE IF NOT EXISTS poll_gaps (
  -- Our instant of the poll that ended the gap.
  at timestamptz NOT NULL,
  race_id uuid NOT NULL,
  bookmaker_key text NOT NULL,
  -- Our instant of the poll before. Null: there was none.
  seen_before timestamptz,
  PRIMARY KEY (race_id, bookmaker_key, at)
);
SELECT create_hypertable('poll_gaps', by_range('at', INTERVAL '1 day'), create_default_indexes => false, if_not_exists => true);

CREATE TABLE IF NOT EXISTS kept_gaps (
  LIKE poll_gaps INCLUDING DEFAULTS,
  PRIMARY KEY (race_id, bookmaker_key, at)
);

-- As `migrations/functions` has it: the trigger needs it before. It runs as its owner, because polls go on before anybody has rights to the table.
CREATE OR REPLACE FUNCTION write_poll_gap() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO poll_gaps (at, race_id, bookmaker_key, seen_before) VALUES (NEW.polled_at, NEW.race_id, NEW.bookmaker_key, OLD.polled_at)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION write_poll_gap() FROM PUBLIC;
-- The condition is judged without a call, and is false of nearly every poll.
CREATE OR REPLACE TRIGGER race_books_poll_gap AFTER UPDATE OF polled_at ON race_books FOR EACH ROW
  WHEN ((NEW.polled_at - OLD.polled_at > interval '2 minutes' OR array_remove(OLD.ticked_win, NULL) = '{}')
    AND array_remove(NEW.ticked_win, NULL) <> '{}')
  EXECUTE FUNCTION write_poll_gap();
