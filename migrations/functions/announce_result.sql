-- Trigger on race_results: announces a result that is final or abandoned, if it is not the one that was announced last. Writers of a result hold
-- the lock of its race.
CREATE OR REPLACE FUNCTION announce_result() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  race races;
  last announced_results;
  placings jsonb;
BEGIN
  SELECT r.* INTO race FROM races r WHERE r.race_id = NEW.race_id;
  SELECT a.* INTO last FROM announced_results a WHERE a.race_id = NEW.race_id;
  -- Results of Hong Kong are not served.
  IF race.country = 'HK' OR (last.status, last.placings_key) IS NOT DISTINCT FROM (NEW.status, NEW.placings_key) THEN
    RETURN NULL;
  END IF;
  -- `PLACES_THAT_COUNT` of the domain. Prices and dividends may follow later: the results have them.
  SELECT COALESCE(jsonb_agg(jsonb_build_object('position', p->'position', 'number', p->'number', 'name', p->'name') ORDER BY place), '[]')
    INTO placings
    FROM jsonb_array_elements(NEW.placings) WITH ORDINALITY AS e (p, place)
   WHERE (p->>'position')::integer <= 4;
  INSERT INTO announced_results AS a (race_id, revision, status, placings_key, placings)
  VALUES (NEW.race_id, 1, NEW.status, NEW.placings_key, placings)
  ON CONFLICT (race_id) DO UPDATE
     SET revision = a.revision + 1, status = EXCLUDED.status, placings_key = EXCLUDED.placings_key, placings = EXCLUDED.placings;
  PERFORM write_event(
    format('race.result %s %s', NEW.race_id, COALESCE(last.revision, 0) + 1), 'race.result', race, NULL, NEW.updated_at,
    jsonb_build_object(
      'status', NEW.status, 'status_note', NEW.status_note, 'placings', placings, 'revision', COALESCE(last.revision, 0) + 1,
      'previous', CASE WHEN last.race_id IS NOT NULL THEN jsonb_build_object('status', last.status, 'placings', last.placings) END));
  RETURN NULL;
END $$;
