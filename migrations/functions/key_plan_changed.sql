-- Trigger on api_keys: the release before accounts writes the plan at the key; it becomes the account's.
CREATE OR REPLACE FUNCTION key_plan_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET plan = NEW.plan WHERE account_id = NEW.account_id AND plan <> NEW.plan;
  RETURN NULL;
END $$;
