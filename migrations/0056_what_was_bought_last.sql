ALTER TABLE billing_accounts
  -- The last subscription that gave a plan, and that plan: a reading without one leaves both.
  ADD COLUMN last_subscription_id text,
  ADD COLUMN last_plan text,
  -- A subscription has been unpaid for too long to give its plan, and the provider goes on issuing its invoices.
  ADD COLUMN has_lapsed boolean NOT NULL DEFAULT false;

-- Made by a reveal: another one soon after it ends this key, and not the one in use.
ALTER TABLE api_keys ADD COLUMN revealed boolean NOT NULL DEFAULT false;
