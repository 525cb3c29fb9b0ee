-- Months of the ledger older than 13 months, as sums (D41): what they say of every account stays, their lines go.
CREATE TABLE credit_closed (
  account_id uuid NOT NULL,
  period date NOT NULL CHECK (period = date_trunc('month', period)),
  -- Null for a grant.
  key_id uuid,
  kind text NOT NULL CHECK (kind IN ('charge', 'grant', 'return')),
  subject text NOT NULL,
  lines bigint NOT NULL CHECK (lines > 0),
  credits bigint NOT NULL,
  from_grants bigint NOT NULL,
  overage bigint NOT NULL,
  overage_plan text,
  UNIQUE NULLS NOT DISTINCT (account_id, period, key_id, kind, subject, overage_plan)
);
