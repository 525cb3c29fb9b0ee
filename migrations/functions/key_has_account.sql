-- Trigger on api_keys: a key that comes without an account gets one of its own, with the key's plan; one that comes with an account has its plan.
CREATE OR REPLACE FUNCTION key_has_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.account_id IS NULL THEN
    INSERT INTO accounts (plan, created_at) VALUES (NEW.plan, NEW.issued_at) RETURNING account_id INTO NEW.account_id;
    NEW.is_primary := true;
  ELSE
    SELECT plan INTO STRICT NEW.plan FROM accounts WHERE account_id = NEW.account_id;
  END IF;
  RETURN NEW;
END $$;
