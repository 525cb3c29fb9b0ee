-- Trigger on accounts: its keys have its plan, until `api_keys.plan` goes. The update of the keys also announces the change (`notify_key_changed`).
CREATE OR REPLACE FUNCTION account_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE api_keys SET plan = NEW.plan WHERE account_id = NEW.account_id;
  RETURN NULL;
END $$;
