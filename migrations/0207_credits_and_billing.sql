-- Credits: a ledger that only grows, and what it adds up to per account and UTC month. The month is that of the call (D12): no job resets
-- anything. Granted credits are used after the allowance and do not expire (D39).
CREATE TABLE credit_balances (
  account_id uuid NOT NULL REFERENCES accounts,
  -- The first day of the UTC month.
  period date NOT NULL CHECK (period = date_trunc('month', period)),
  used bigint NOT NULL DEFAULT 0 CHECK (used >= 0),
  -- Of `used`, what came from grants.
  from_grants bigint NOT NULL DEFAULT 0 CHECK (from_grants BETWEEN 0 AND used),
  -- Of `used`, what is billed.
  overage bigint NOT NULL DEFAULT 0 CHECK (overage >= 0),
  PRIMARY KEY (account_id, period),
  CONSTRAINT credit_balances_parts CHECK (from_grants + overage <= used)
);

CREATE TABLE credit_grants (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  remaining bigint NOT NULL CHECK (remaining >= 0)
);

CREATE TABLE credit_ledger (
  period date NOT NULL,
  at timestamptz NOT NULL,
  account_id uuid NOT NULL,
  -- A `return` takes a charge back. One without credits stands where a charge whose outcome was unknown never arrived, and keeps it out.
  kind text NOT NULL CHECK (kind IN ('charge', 'grant', 'return')),
  -- Null for a grant.
  key_id uuid,
  -- Of a charge the operation, of a grant its reason.
  subject text NOT NULL,
  credits integer NOT NULL,
  from_grants integer NOT NULL DEFAULT 0,
  -- Null for a grant. One whose reply was lost is sent again and answered from what was recorded (D7).
  charge_id uuid,
  overage integer NOT NULL DEFAULT 0,
  -- Null without overage: it is billed at the price of this plan.
  overage_plan text,
  CONSTRAINT credit_ledger_credits_check CHECK (credits > 0 OR (kind = 'return' AND credits = 0)),
  CONSTRAINT credit_ledger_parts CHECK (from_grants + overage <= credits AND (overage > 0) = (overage_plan IS NOT NULL))
);
-- Firsts of months are at least 28 days apart, so each chunk has one month (D41).
SELECT create_hypertable('credit_ledger', by_range('period', INTERVAL '28 days'), create_default_indexes => false);
CREATE INDEX credit_ledger_of_account ON credit_ledger (account_id, period, at DESC);
-- A statement that arrives late, after its charge was sent again, fails on it.
CREATE UNIQUE INDEX credit_ledger_by_charge ON credit_ledger (charge_id, period);

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

-- Charges under a business key, whatever their month: a delivery is charged once (D50).
CREATE TABLE credit_once (
  charge_id uuid PRIMARY KEY,
  period date NOT NULL
);

-- A charge, as `charge_accounts` takes it.
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

-- Months of the ledger older than 13 months, as sums (D41): the sums of every account stay, their lines go.
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

-- What an account buys from the payment provider, as it was last read there: a level, whatever was announced before.
CREATE TABLE billing_accounts (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  customer_id text NOT NULL UNIQUE,
  -- Of the subscription that gives the plan; null: there is none.
  subscription_id text,
  plan text,
  interval text CHECK (interval IN ('month', 'year')),
  -- It ends at `paid_until`.
  is_cancelling boolean NOT NULL DEFAULT false,
  paid_until timestamptz,
  -- Readings are numbered before they begin: an older one never replaces what a newer one wrote.
  readings bigint NOT NULL DEFAULT 0,
  written bigint NOT NULL DEFAULT 0,
  -- When it was read last, or made; when it is to be read again, if nothing is announced before.
  read_at timestamptz NOT NULL,
  due_at timestamptz NOT NULL,
  -- The last subscription that gave a plan, and that plan: a reading without one leaves both.
  last_subscription_id text,
  last_plan text,
  -- A subscription has been unpaid for too long to give its plan, and the provider goes on issuing its invoices.
  has_lapsed boolean NOT NULL DEFAULT false,
  CHECK ((subscription_id IS NULL) = (plan IS NULL AND interval IS NULL AND paid_until IS NULL))
);
CREATE INDEX billing_accounts_due ON billing_accounts (due_at);

-- Events that were dealt with: the provider sends one until it is accepted, and sometimes again.
CREATE TABLE payment_events (
  event_id text PRIMARY KEY,
  type text NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX payment_events_by_age ON payment_events (at);

-- The invoice of an account's overage in a UTC month. Written before it is ordered, with what is to be paid: a repeated order is the same.
CREATE TABLE overage_invoices (
  account_id uuid NOT NULL REFERENCES accounts,
  period date NOT NULL CHECK (period = date_trunc('month', period)),
  cents integer NOT NULL CHECK (cents >= 0),
  decided_at timestamptz NOT NULL,
  -- Null: not ordered yet, or nothing is to be paid.
  item_id text,
  invoiced_at timestamptz,
  PRIMARY KEY (account_id, period)
);
CREATE INDEX overage_invoices_open ON overage_invoices (decided_at) WHERE invoiced_at IS NULL;

-- Referral: the code of an account, and what it chose for its side.
CREATE TABLE referrals (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  code text NOT NULL UNIQUE,
  payout text NOT NULL DEFAULT 'credits' CHECK (payout IN ('credits', 'none'))
);

-- Once per referred account (D39).
CREATE TABLE referral_rewards (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  referrer_id uuid NOT NULL REFERENCES accounts CHECK (referrer_id <> account_id),
  -- What the referrer got.
  credits integer NOT NULL CHECK (credits >= 0),
  at timestamptz NOT NULL
);
CREATE INDEX referral_rewards_of ON referral_rewards (referrer_id);
