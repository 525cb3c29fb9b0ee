-- The invoice of a month's overage, as the payment provider had it when it was last read; null: not read yet.
ALTER TABLE overage_invoices ADD COLUMN IF NOT EXISTS status_at timestamptz;
-- Since when nothing is owed: it is paid, or was taken back. Null: it is open.
ALTER TABLE overage_invoices ADD COLUMN IF NOT EXISTS settled_at timestamptz;
CREATE INDEX IF NOT EXISTS overage_invoices_unsettled ON overage_invoices (account_id) WHERE item_id IS NOT NULL AND settled_at IS NULL;
