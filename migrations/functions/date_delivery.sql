-- Trigger on webhook_deliveries: when the event was written, of a writer that does not say it.
CREATE OR REPLACE FUNCTION date_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.event_at := (SELECT e.written_at FROM events e WHERE e.event_id = NEW.event_id);
  RETURN NEW;
END $$;
