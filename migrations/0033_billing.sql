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
-- The code that was sent at signup, valid or not.
ALTER TABLE account_owners ADD COLUMN referred_by_code text;
CREATE INDEX account_owners_by_referral ON account_owners (referred_by_code) WHERE referred_by_code IS NOT NULL;

-- Once per referred account (D39).
CREATE TABLE referral_rewards (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  referrer_id uuid NOT NULL REFERENCES accounts CHECK (referrer_id <> account_id),
  -- What the referrer got.
  credits integer NOT NULL CHECK (credits >= 0),
  at timestamptz NOT NULL
);
CREATE INDEX referral_rewards_of ON referral_rewards (referrer_id);

-- Secrets of this database, made where it is created: signed links need no setting. A UUID has 122 random bits.
CREATE TABLE service_secrets (
  name text PRIMARY KEY,
  secret bytea NOT NULL
);
INSERT INTO service_secrets VALUES
  ('upgrade_links', sha256((gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text)::bytea));
