-- Trigger on sport_events: a start that moved or a competition that was named is shown with the prices of every book.
CREATE OR REPLACE FUNCTION mark_sports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sport_levels SET level = gen_random_uuid() WHERE sport_key IN (SELECT sport_key FROM written);
  RETURN NULL;
END $$;
