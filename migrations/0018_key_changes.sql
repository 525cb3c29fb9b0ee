-- Every change of a key is announced to the API processes in the transaction that makes it, so that no process remembers an old one.
CREATE FUNCTION notify_key_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('api_keys_changed', encode(OLD.key_hash, 'base64')); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('api_keys_changed', encode(NEW.key_hash, 'base64')); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_changed AFTER INSERT OR UPDATE OR DELETE ON api_keys FOR EACH ROW EXECUTE FUNCTION notify_key_changed();
