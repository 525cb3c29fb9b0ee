-- Trigger on api_keys: a key that comes without an account gets one of its own, with the key's plan; one that comes with an account has its plan.
-- A closed account gets no key, also while it is being closed.
CREATE OR REPLACE FUNCTION key_has_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  closed timestamptz;
BEGIN
  IF NEW.account_id IS NULL THEN
    INSERT INTO accounts (plan, created_at) VALUES (NEW.plan, NEW.issued_at) RETURNING account_id INTO NEW.account_id;
    NEW.is_primary := true;
  ELSE
    SELECT plan, closed_at INTO STRICT NEW.plan, closed FROM accounts WHERE account_id = NEW.account_id FOR SHARE;
    IF closed IS NOT NULL THEN
      RAISE EXCEPTION 'the account % is closed', NEW.account_id USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
  END IF;
  RETURN NEW;
END $$;
