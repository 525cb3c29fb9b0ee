-- Trigger on what only an open account has: refuses a row of one that is closed, also while it is being closed. Runs as its owner,
-- because workers read no account.
CREATE OR REPLACE FUNCTION account_is_open() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  closed timestamptz;
BEGIN
  SELECT closed_at INTO closed FROM accounts WHERE account_id = NEW.account_id FOR SHARE;
  IF closed IS NOT NULL THEN
    RAISE EXCEPTION 'the account % is closed', NEW.account_id USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NEW;
END $$;
REVOKE ALL ON FUNCTION account_is_open() FROM PUBLIC;
