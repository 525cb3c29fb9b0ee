-- Whether anything that is shown of a book in a sport has changed: the API keeps what it read, and reads again only where the level is another.

CREATE TABLE sport_levels (
  sport_key text NOT NULL,
  bookmaker_key text NOT NULL,
  -- New with every transaction that writes a row of the book, or a match of the sport. Never one that was before, also after a failover.
  level uuid NOT NULL,
  PRIMARY KEY (sport_key, bookmaker_key)
);

-- The functions come after this file. No process reads levels before.
CREATE FUNCTION mark_sport_books() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION mark_sports() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE TRIGGER sport_books_added AFTER INSERT ON sport_event_books REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION mark_sport_books();
CREATE TRIGGER sport_books_changed AFTER UPDATE ON sport_event_books REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION mark_sport_books();
CREATE TRIGGER sport_books_deleted AFTER DELETE ON sport_event_books REFERENCING OLD TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION mark_sport_books();
CREATE TRIGGER sports_changed AFTER UPDATE ON sport_events REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION mark_sports();

INSERT INTO sport_levels
SELECT sport_key, bookmaker_key, gen_random_uuid() FROM (
  SELECT DISTINCT e.sport_key, b.bookmaker_key FROM sport_event_books b JOIN sport_events e USING (event_id)) listed;
