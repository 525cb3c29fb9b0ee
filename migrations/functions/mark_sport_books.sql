-- Trigger on sport_event_books: whoever writes a book's row of a match. A price changes only together with that row (src/store/sports/quotes.ts).
CREATE OR REPLACE FUNCTION mark_sport_books() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sport_levels (sport_key, bookmaker_key, level)
  SELECT sport_key, bookmaker_key, gen_random_uuid() FROM (
    SELECT DISTINCT e.sport_key, w.bookmaker_key FROM written w JOIN sport_events e USING (event_id)) marked
  ON CONFLICT (sport_key, bookmaker_key) DO UPDATE SET level = EXCLUDED.level;
  RETURN NULL;
END $$;
