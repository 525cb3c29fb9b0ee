-- Trigger on api_keys: announces the hash of a new, changed or deleted key, as `src/store/keys/key-changes.ts` expects it. An update announces both
-- rows; PostgreSQL sends equal notifications of one transaction once.
CREATE OR REPLACE FUNCTION notify_key_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('api_keys_changed', encode(OLD.key_hash, 'base64')); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('api_keys_changed', encode(NEW.key_hash, 'base64')); END IF;
  RETURN NULL;
END $$;
