-- Trigger on api_keys: counts the changes of a key and of its account (D36).
CREATE OR REPLACE FUNCTION key_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.epoch := OLD.epoch + 1;
  RETURN NEW;
END $$;
