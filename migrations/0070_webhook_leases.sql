-- A claim of webhook deliveries changes no index of them. What is leased is an attempt that is under way, four of an endpoint at most, and what
-- the indexes below name as pending holds no more leased rows than those.
DROP INDEX webhook_deliveries_waiting, webhook_deliveries_tests, webhook_deliveries_in_flight, webhook_deliveries_open;
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, rank, due_at) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_tests ON webhook_deliveries (due_at) WHERE test AND status = 'pending';
CREATE INDEX webhook_deliveries_retrying ON webhook_deliveries (due_at) WHERE status = 'retrying';
-- The room is for the lease.
ALTER TABLE webhook_deliveries SET (fillfactor = 70);

ALTER TABLE webhook_attempts
  ADD COLUMN webhook_id text,
  ADD COLUMN leased_until timestamptz,
  -- It would be checked for each row, and both tables are written by the same statements.
  DROP CONSTRAINT webhook_attempts_delivery_id_fkey;
CREATE INDEX webhook_attempts_in_flight ON webhook_attempts (webhook_id, leased_until) WHERE leased_until IS NOT NULL;
