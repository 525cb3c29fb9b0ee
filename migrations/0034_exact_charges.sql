-- A charge has an id, so that one whose reply was lost is asked for again and answered from what was recorded (D7). Overage: credits
-- beyond the allowance and the grants, billed at the end of the month (A 8, D39).
ALTER TABLE accounts ADD COLUMN overage boolean NOT NULL DEFAULT false;

ALTER TABLE credit_balances
  -- Of `used`, what is billed.
  ADD COLUMN overage bigint NOT NULL DEFAULT 0 CHECK (overage >= 0),
  ADD CONSTRAINT credit_balances_parts CHECK (from_grants + overage <= used);

ALTER TABLE credit_ledger
  ADD COLUMN charge_id uuid,
  ADD COLUMN overage integer NOT NULL DEFAULT 0,
  -- Null without overage: it is billed at the price of this plan.
  ADD COLUMN overage_plan text,
  DROP CONSTRAINT credit_ledger_kind_check,
  DROP CONSTRAINT credit_ledger_credits_check,
  -- A `return` takes a charge back. One without credits stands where a charge whose outcome was unknown never arrived, and keeps it out.
  ADD CONSTRAINT credit_ledger_kind_check CHECK (kind IN ('charge', 'grant', 'return')),
  ADD CONSTRAINT credit_ledger_credits_check CHECK (credits > 0 OR (kind = 'return' AND credits = 0)),
  ADD CONSTRAINT credit_ledger_parts CHECK (from_grants + overage <= credits AND (overage > 0) = (overage_plan IS NOT NULL));
-- A statement that arrives late, after its charge was asked for again, fails on it.
CREATE UNIQUE INDEX credit_ledger_by_charge ON credit_ledger (charge_id, period);

-- Charges under a business key, whatever their month: a delivery is charged once (D50).
CREATE TABLE credit_once (
  charge_id uuid PRIMARY KEY,
  period date NOT NULL
);

CREATE TYPE credit_charge AS (
  -- In the list of the caller.
  place integer,
  charge_id uuid,
  -- Its outcome was lost, so it may be recorded.
  again boolean,
  -- `charge_id` stands for a business key.
  once boolean,
  account_id uuid,
  key_id uuid,
  plan text,
  subject text,
  cost integer,
  -- Credits of the plan in a month, and those that may be billed beyond.
  allowance bigint,
  overage bigint,
  period date,
  at timestamptz,
  -- Why it is not charged, whatever the balance.
  refusal text
);
