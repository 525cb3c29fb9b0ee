-- Set by an operator: it stands whatever is bought, until the operator releases it or another plan is bought.
ALTER TABLE accounts ADD COLUMN plan_by_operator boolean NOT NULL DEFAULT false;

-- More than one call went under this charge, so none of them takes it back.
ALTER TABLE bulk_downloads ADD COLUMN shared boolean NOT NULL DEFAULT false;
