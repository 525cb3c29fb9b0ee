-- What the owner of an account was last mailed about, by kind: a mark that is compared with the fact (D40). The mark names the fact.
CREATE TABLE IF NOT EXISTS account_notices (
  account_id uuid NOT NULL REFERENCES accounts,
  kind text NOT NULL,
  mailed text COLLATE "C" NOT NULL,
  PRIMARY KEY (account_id, kind)
);

-- Plans that changed and whose owners were not mailed yet, written by the trigger `accounts_changed`. No row: the owner knows the plan.
CREATE TABLE IF NOT EXISTS plan_changes (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  -- Of the last change.
  change_id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The plan that the owner knows.
  known_plan text NOT NULL,
  changed_at timestamptz NOT NULL
);

-- When overage of the account was switched off because this invoice was not paid. Null: it was not.
ALTER TABLE overage_invoices ADD COLUMN IF NOT EXISTS ended_overage_at timestamptz;
