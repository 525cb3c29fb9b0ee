-- The versions of the terms of use and of the privacy statement that the owner accepted at `terms_accepted_at`, as their pages name them. Null: they were
-- accepted before versions were stored, or an operator vouched for them.
ALTER TABLE account_owners ADD COLUMN IF NOT EXISTS terms_version text;
ALTER TABLE account_owners ADD COLUMN IF NOT EXISTS privacy_version text;
