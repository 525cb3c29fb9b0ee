-- Trigger on events: the place of an event whose writer gives none, behind all that were given.
CREATE OR REPLACE FUNCTION place_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.position := nextval('event_positions');
  RETURN NEW;
END $$;
