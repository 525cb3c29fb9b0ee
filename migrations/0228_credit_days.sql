-- Outside a transaction.
-- Closed days of the ledger, of which an account's statement of a month is made. A line counts on the day of its instant, or, if that day is
-- closed when it is written, on the first open one. A day is closed under the lock of its balance, under which every line is written.
ALTER TABLE credit_balances ADD COLUMN IF NOT EXISTS closed_day date;
-- No earlier day has lines that are not in `credit_days`; `-infinity`: unknown. Null: no day has.
ALTER TABLE credit_balances ADD COLUMN IF NOT EXISTS open_day date DEFAULT '-infinity';
-- From here on every line has a balance.
INSERT INTO credit_balances (account_id, period) SELECT DISTINCT account_id, period FROM credit_ledger WHERE charge_id IS NULL ON CONFLICT DO NOTHING;
-- The column changes with the first line of a day.
DROP INDEX CONCURRENTLY IF EXISTS credit_balances_open;
CREATE INDEX CONCURRENTLY credit_balances_open ON credit_balances (account_id, period) WHERE open_day IS NOT NULL;

-- Lines that count on a later day than that of their instant.
CREATE TABLE IF NOT EXISTS credit_late_lines (
  account_id uuid NOT NULL,
  period date NOT NULL,
  day date NOT NULL,
  charge_id uuid NOT NULL,
  PRIMARY KEY (account_id, period, day, charge_id)
);

-- The sums of a closed day of an account's month, and the head of the chain of its lines (docs/accounts.md). Never changed. A day without lines
-- has no row.
CREATE TABLE IF NOT EXISTS credit_days (
  account_id uuid NOT NULL,
  period date NOT NULL CHECK (period = date_trunc('month', period)),
  day date NOT NULL CHECK (day >= period),
  lines bigint NOT NULL CHECK (lines > 0),
  -- Less what was given back.
  used bigint NOT NULL,
  from_grants bigint NOT NULL,
  overage bigint NOT NULL,
  granted bigint NOT NULL,
  -- The head before: of the month, or for its first day the last one of the months before.
  previous bytea NOT NULL CHECK (length(previous) = 32),
  head bytea NOT NULL CHECK (length(head) = 32),
  PRIMARY KEY (account_id, period, day)
);
