-- Trigger on accounts: its keys have its plan, until `api_keys.plan` goes. The update of the keys also announces the change (`notify_key_changed`).
-- A plan that the owner does not know is remembered until the owner is mailed; one that is back again is no change.
CREATE OR REPLACE FUNCTION account_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE api_keys SET plan = NEW.plan WHERE account_id = NEW.account_id;
  IF NEW.plan <> OLD.plan THEN
    INSERT INTO plan_changes AS c (account_id, known_plan, changed_at) VALUES (NEW.account_id, OLD.plan, clock_timestamp())
    ON CONFLICT (account_id) DO UPDATE SET change_id = gen_random_uuid(), changed_at = EXCLUDED.changed_at;
    DELETE FROM plan_changes WHERE account_id = NEW.account_id AND known_plan = NEW.plan;
  END IF;
  RETURN NULL;
END $$;
