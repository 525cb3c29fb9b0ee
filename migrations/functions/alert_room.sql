-- How many more price alerts of an account may be open: all that opens one counts here, in its transaction, and waits for
-- others that do under the lock of the owner. Null: the account has no owner.
CREATE OR REPLACE FUNCTION alert_room(of_account uuid, most integer) RETURNS integer LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM account_owners WHERE account_id = of_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- A statement of its own: it sees what was committed while this one waited.
  RETURN GREATEST(0, most - (SELECT count(*) FROM price_alerts WHERE account_id = of_account AND reached_at IS NULL AND ended_at IS NULL));
END $$;
