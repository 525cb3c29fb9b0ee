-- When the account was closed; null: it is open. Nothing opens it again.
ALTER TABLE accounts ADD COLUMN IF NOT EXISTS closed_at timestamptz;

-- What is kept of a closed account until its month ends: a digest of its owner's mailbox, which gets no second free allowance in that month.
CREATE TABLE IF NOT EXISTS closed_mailboxes (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  mailbox_digest bytea NOT NULL,
  -- The first day of the UTC month.
  period date NOT NULL CHECK (period = date_trunc('month', period))
);
CREATE INDEX IF NOT EXISTS closed_mailboxes_by_digest ON closed_mailboxes (mailbox_digest, period);

-- As `migrations/functions` has it: the triggers need it before.
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
CREATE OR REPLACE TRIGGER owner_of_open_account BEFORE INSERT ON account_owners FOR EACH ROW EXECUTE FUNCTION account_is_open();
CREATE OR REPLACE TRIGGER session_of_open_account BEFORE INSERT ON sessions FOR EACH ROW EXECUTE FUNCTION account_is_open();
CREATE OR REPLACE TRIGGER link_of_open_account BEFORE INSERT ON mailed_links FOR EACH ROW WHEN (NEW.account_id IS NOT NULL)
  EXECUTE FUNCTION account_is_open();
CREATE OR REPLACE TRIGGER webhook_of_open_account BEFORE INSERT ON webhooks FOR EACH ROW EXECUTE FUNCTION account_is_open();
CREATE OR REPLACE TRIGGER widget_of_open_account BEFORE INSERT ON widgets FOR EACH ROW EXECUTE FUNCTION account_is_open();
CREATE OR REPLACE TRIGGER job_of_open_account BEFORE INSERT ON backfill_jobs FOR EACH ROW EXECUTE FUNCTION account_is_open();
