-- Outside a transaction.
-- Links that change the address of an account: one confirms the new address, one goes to the old address and takes the change back.
ALTER TABLE mailed_links ADD COLUMN IF NOT EXISTS other_email text;
ALTER TABLE mailed_links DROP CONSTRAINT IF EXISTS mailed_links_purpose_check;
ALTER TABLE mailed_links DROP CONSTRAINT IF EXISTS mailed_links_purposes;
ALTER TABLE mailed_links ADD CONSTRAINT mailed_links_purposes
  CHECK (purpose IN ('verify', 'login', 'reset', 'replace_key', 'change_email', 'undo_email')) NOT VALID;
ALTER TABLE mailed_links VALIDATE CONSTRAINT mailed_links_purposes;
-- The other side of a change: of the link that confirms the address before, of the one that undoes it the address after.
ALTER TABLE mailed_links DROP CONSTRAINT IF EXISTS mailed_links_change_has_both;
ALTER TABLE mailed_links ADD CONSTRAINT mailed_links_change_has_both
  CHECK ((purpose IN ('change_email', 'undo_email')) = (other_email IS NOT NULL)) NOT VALID;
ALTER TABLE mailed_links VALIDATE CONSTRAINT mailed_links_change_has_both;
-- The address that the payment provider has of the account; null: it was not stored.
ALTER TABLE billing_accounts ADD COLUMN IF NOT EXISTS customer_email text;
