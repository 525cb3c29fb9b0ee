-- An account buys a plan; its keys share the plan and the credits. A key that comes without an account gets one of its own; one that comes with
-- an account has its plan.
CREATE TABLE accounts (
  account_id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  plan text NOT NULL,
  created_at timestamptz NOT NULL
);

-- A key that replaces another keeps its key_id, so key_id names no single row. The epoch counts the changes of the key and of its account (D36).
ALTER TABLE api_keys
  ADD COLUMN key_id uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN account_id uuid,
  ADD COLUMN epoch integer NOT NULL DEFAULT 0;
UPDATE api_keys SET account_id = gen_random_uuid();
INSERT INTO accounts SELECT account_id, plan, issued_at FROM api_keys;
ALTER TABLE api_keys
  ALTER COLUMN account_id SET NOT NULL,
  ADD FOREIGN KEY (account_id) REFERENCES accounts;
CREATE INDEX api_keys_of_account ON api_keys (account_id);
CREATE INDEX api_keys_by_id ON api_keys (key_id);

CREATE FUNCTION key_has_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.account_id IS NULL THEN
    INSERT INTO accounts (plan, created_at) VALUES (NEW.plan, NEW.issued_at) RETURNING account_id INTO NEW.account_id;
  ELSE
    SELECT plan INTO STRICT NEW.plan FROM accounts WHERE account_id = NEW.account_id;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_have_account BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION key_has_account();

CREATE FUNCTION key_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.epoch := OLD.epoch + 1;
  RETURN NEW;
END $$;
CREATE TRIGGER api_keys_epoch BEFORE UPDATE ON api_keys FOR EACH ROW EXECUTE FUNCTION key_epoch();

-- The release before this one reads and writes the plan at the key: until `api_keys.plan` goes, both columns are equal. The update of its keys
-- also announces a change of an account (`notify_key_changed`).
CREATE FUNCTION account_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE api_keys SET plan = NEW.plan WHERE account_id = NEW.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_changed AFTER UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION account_changed();

CREATE FUNCTION key_plan_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET plan = NEW.plan WHERE account_id = NEW.account_id AND plan <> NEW.plan;
  RETURN NULL;
END $$;
CREATE TRIGGER api_keys_plan_changed AFTER UPDATE OF plan ON api_keys FOR EACH ROW WHEN (OLD.plan <> NEW.plan)
  EXECUTE FUNCTION key_plan_changed();
