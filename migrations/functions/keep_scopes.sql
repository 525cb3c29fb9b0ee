-- Trigger on api_keys: a key that replaces another one has its scopes, also if a process of the release before, which does not know them, writes it.
CREATE OR REPLACE FUNCTION keep_scopes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT scopes INTO NEW.scopes FROM api_keys WHERE key_id = NEW.key_id ORDER BY version DESC LIMIT 1;
  RETURN NEW;
END $$;
