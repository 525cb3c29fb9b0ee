-- Credits: a ledger that only grows, and what it adds up to per account and UTC month. The month is that of the call (D12): no job resets
-- anything. Granted credits are used after the allowance and do not expire (D39).
CREATE TABLE credit_balances (
  account_id uuid NOT NULL REFERENCES accounts,
  -- The first day of the UTC month.
  period date NOT NULL CHECK (period = date_trunc('month', period)),
  used bigint NOT NULL DEFAULT 0 CHECK (used >= 0),
  -- Of `used`, what came from grants.
  from_grants bigint NOT NULL DEFAULT 0 CHECK (from_grants BETWEEN 0 AND used),
  PRIMARY KEY (account_id, period)
);

CREATE TABLE credit_grants (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  remaining bigint NOT NULL CHECK (remaining >= 0)
);

CREATE TABLE credit_ledger (
  period date NOT NULL,
  at timestamptz NOT NULL,
  account_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('charge', 'grant')),
  -- Null for a grant.
  key_id uuid,
  -- Of a charge the operation, of a grant its reason.
  subject text NOT NULL,
  credits integer NOT NULL CHECK (credits > 0),
  from_grants integer NOT NULL DEFAULT 0
);
-- The sums of the ledger by UTC day, which customers read; they stay when its chunks go (D41).
CREATE TABLE credit_usage (
  account_id uuid NOT NULL,
  day date NOT NULL,
  key_id uuid NOT NULL,
  subject text NOT NULL,
  calls bigint NOT NULL,
  credits bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, day, key_id, subject)
);
-- Firsts of months are at least 28 days apart, so each chunk has one month (D41).
SELECT create_hypertable('credit_ledger', by_range('period', INTERVAL '28 days'), create_default_indexes => false);
CREATE INDEX credit_ledger_of_account ON credit_ledger (account_id, period, at DESC);
