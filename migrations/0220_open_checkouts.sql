-- When an owner was last led to a page of the payment provider that sells: for an hour what the account buys is read every few seconds. Null: never.
ALTER TABLE billing_accounts ADD COLUMN IF NOT EXISTS checkout_opened_at timestamptz;
-- When an owner last came back from one, for which it is read at once.
ALTER TABLE billing_accounts ADD COLUMN IF NOT EXISTS returned_at timestamptz;
