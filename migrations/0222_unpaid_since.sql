-- When the first invoice of the account's subscription that is not paid was issued, as it was last read; null: none is open.
ALTER TABLE billing_accounts ADD COLUMN IF NOT EXISTS unpaid_since timestamptz;
