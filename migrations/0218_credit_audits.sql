-- What the hourly audit of credits found last, by account and month. A balance that stands as it was then is not audited again, unless it was wrong.
CREATE TABLE IF NOT EXISTS credit_audits (
  account_id uuid NOT NULL,
  period date NOT NULL,
  -- The figures of the balance, and the granted credits that were left.
  used bigint NOT NULL,
  from_grants bigint NOT NULL,
  overage bigint NOT NULL,
  granted bigint NOT NULL,
  at timestamptz NOT NULL,
  -- Differences between balance, ledger and the sums of days.
  faults integer NOT NULL,
  PRIMARY KEY (account_id, period)
);
CREATE INDEX IF NOT EXISTS credit_audits_faulty ON credit_audits (period) WHERE faults > 0;
