-- Outside a transaction.
-- When an open invoice of overage is read next; -infinity: as soon as it can be. It is moved on before the invoice is read, so that processes share
-- the work, and further each time the invoice cannot be read.
ALTER TABLE overage_invoices ADD COLUMN IF NOT EXISTS read_due_at timestamptz NOT NULL DEFAULT '-infinity';
-- Readings that were begun since the last one that succeeded.
ALTER TABLE overage_invoices ADD COLUMN IF NOT EXISTS read_attempts integer NOT NULL DEFAULT 0;
DROP INDEX CONCURRENTLY IF EXISTS overage_invoices_read_due;
CREATE INDEX CONCURRENTLY overage_invoices_read_due ON overage_invoices (read_due_at) WHERE item_id IS NOT NULL AND settled_at IS NULL;
