-- Until when a process has an account to itself that it reads from the payment provider; null: none does.
ALTER TABLE billing_accounts ADD COLUMN IF NOT EXISTS claimed_until timestamptz;
