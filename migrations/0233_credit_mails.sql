-- Whether the owner is mailed at 80 and at 100 percent of a month's credits.
ALTER TABLE account_owners ADD COLUMN IF NOT EXISTS credit_mails boolean NOT NULL DEFAULT true;
