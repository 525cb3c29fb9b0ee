-- Charges that calls under one Idempotency-Key share (D68): a row for each charge.
CREATE TABLE IF NOT EXISTS shared_charges (
  account_id uuid NOT NULL REFERENCES accounts,
  -- Digests of the Idempotency-Key and of the request under it.
  name text NOT NULL,
  request text NOT NULL,
  -- The first call.
  charge_id uuid NOT NULL,
  begun_at timestamptz NOT NULL,
  -- The ids of the calls under it, and of those among them that failed.
  sends uuid[] NOT NULL,
  failed uuid[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (account_id, name, charge_id)
);
CREATE INDEX IF NOT EXISTS shared_charges_begun ON shared_charges (begun_at);
