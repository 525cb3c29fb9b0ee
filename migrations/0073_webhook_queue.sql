-- What workers look for, lease and end is in a narrow table of its own, so that a delivery's own row changes once and in no index.
-- Triggers keep it: it has exactly the deliveries that are pending or retrying (migrations/functions/queue_deliveries.sql).
-- Until the functions are there, nothing is delivered: a row that no trigger saw would never be posted.
LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE;
CREATE TABLE webhook_queue (
  delivery_id text PRIMARY KEY,
  webhook_id text NOT NULL,
  event_id text NOT NULL,
  kind text NOT NULL,
  race_id uuid,
  sequence integer,
  -- 0 tests, 1 first attempts, 2 replays, 3 what a workflow retries.
  rank smallint NOT NULL CHECK (rank BETWEEN 0 AND 3),
  -- Begun, the one that is under way included.
  attempt_count smallint NOT NULL,
  created_at timestamptz NOT NULL,
  -- Not posted before.
  due_at timestamptz NOT NULL,
  leased_until timestamptz
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX webhook_queue_waiting ON webhook_queue (webhook_id, rank, due_at) WHERE rank < 3;
CREATE INDEX webhook_queue_tests ON webhook_queue (due_at) WHERE rank = 0;
CREATE INDEX webhook_queue_retrying ON webhook_queue (webhook_id, due_at) WHERE rank = 3;
-- First attempts for one race keep their order at each endpoint.
CREATE INDEX webhook_queue_in_order ON webhook_queue (race_id, webhook_id, sequence) WHERE rank = 1 AND sequence IS NOT NULL;

INSERT INTO webhook_queue (delivery_id, webhook_id, event_id, kind, race_id, sequence, rank, attempt_count, created_at, due_at, leased_until)
SELECT delivery_id, webhook_id, event_id, kind, race_id, sequence, CASE WHEN status = 'retrying' THEN 3 ELSE rank END, attempt_count, created_at, due_at,
       leased_until
  FROM webhook_deliveries WHERE status IN ('pending', 'retrying');

DROP INDEX webhook_deliveries_waiting, webhook_deliveries_tests, webhook_deliveries_retrying, webhook_deliveries_in_order;
ALTER TABLE webhook_deliveries DROP COLUMN leased_until, DROP COLUMN rank;
-- Pruned by the time of their making: that of their end would change this index.
DROP INDEX webhook_deliveries_by_age;
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries ((kind = 'odds.change'), created_at);
-- The room is for the end.
ALTER TABLE webhook_deliveries SET (fillfactor = 50);

-- The functions come after this file.
CREATE FUNCTION queue_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'queue_deliveries() is not installed yet'; END $$;
CREATE FUNCTION dequeue_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'dequeue_deliveries() is not installed yet'; END $$;
CREATE TRIGGER deliveries_made AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION queue_deliveries();
CREATE TRIGGER deliveries_changed AFTER UPDATE ON webhook_deliveries REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION dequeue_deliveries();

-- Its last successes were quick: one worker leases some of its deliveries ahead, so that the next post waits for no claim.
ALTER TABLE webhooks ADD COLUMN quick boolean NOT NULL DEFAULT false;
-- Which worker's lanes lease it; null: a test or a retry, which are posted at once.
ALTER TABLE webhook_attempts ADD COLUMN worker text;
-- They return other columns.
DROP FUNCTION IF EXISTS claim_deliveries(text, integer, integer, integer, text[], timestamptz, interval);
DROP FUNCTION IF EXISTS take_retry(text, text[], timestamptz, interval);
