-- Lanes make the first three attempts of a delivery (D65), what is under way has a table of its own, and what one worker leases of an endpoint
-- ahead follows how long that endpoint takes.

-- 4: the second and third attempts, by lanes. 3 stays what a workflow retries: those of the release before go on to their end.
ALTER TABLE webhook_queue DROP CONSTRAINT webhook_queue_rank_check, ADD CONSTRAINT webhook_queue_rank_check CHECK (rank BETWEEN 0 AND 4);
CREATE INDEX webhook_queue_again ON webhook_queue (webhook_id, due_at) WHERE rank = 4;
CREATE INDEX webhook_queue_again_due ON webhook_queue (due_at) WHERE rank = 4;
-- When its workflow looks again, if it is due and its endpoint has no room.
ALTER TABLE webhook_queue ADD COLUMN looks_at timestamptz;
CREATE INDEX webhook_queue_late ON webhook_queue ((greatest(due_at, looks_at))) WHERE rank = 3;

-- Attempts under way, from before the post until its end is written: four in flight at an endpoint, by these rows.
CREATE TABLE webhook_leases (
  delivery_id text NOT NULL,
  attempt smallint NOT NULL,
  webhook_id text NOT NULL,
  -- By the database's clock.
  leased_until timestamptz NOT NULL,
  -- Which worker's lanes lease it; null: a test or a later attempt, which are posted at once.
  worker text,
  PRIMARY KEY (delivery_id, attempt)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX webhook_leases_of_webhook ON webhook_leases (webhook_id);
INSERT INTO webhook_leases SELECT delivery_id, attempt, webhook_id, leased_until, worker FROM webhook_attempts WHERE leased_until IS NOT NULL;
DROP INDEX webhook_attempts_in_flight;
ALTER TABLE webhook_attempts DROP COLUMN leased_until, DROP COLUMN worker;

ALTER TABLE webhooks
  DROP COLUMN quick,
  -- How long it took of late to answer with a success, in milliseconds. Null: it has not yet.
  ADD COLUMN pace_ms integer,
  -- Its first 410 since it last delivered.
  ADD COLUMN gone_since timestamptz;

-- They return other columns.
DROP FUNCTION IF EXISTS claim_deliveries(text, text, integer, integer, integer, text[], timestamptz, interval);
DROP FUNCTION IF EXISTS take_retry(text, text[], timestamptz, interval);
