-- What the lanes of webhooks claim by (D54, D55).
ALTER TABLE webhook_deliveries
  -- The event's: first attempts for one race keep this order at each endpoint. Null: no race, a test, a replay.
  ADD COLUMN sequence integer,
  -- Tests first, replays last.
  ADD COLUMN rank smallint NOT NULL GENERATED ALWAYS AS (CASE WHEN test THEN 0 WHEN replay_of IS NULL THEN 1 ELSE 2 END) STORED;

CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, rank, due_at)
  WHERE status = 'pending' AND leased_until IS NULL;
CREATE INDEX webhook_deliveries_tests ON webhook_deliveries (due_at) WHERE test AND status = 'pending' AND leased_until IS NULL;
CREATE INDEX webhook_deliveries_in_order ON webhook_deliveries (race_id, webhook_id, sequence)
  WHERE status = 'pending' AND sequence IS NOT NULL;
CREATE INDEX webhook_deliveries_in_flight ON webhook_deliveries (webhook_id, leased_until) WHERE leased_until IS NOT NULL;

-- Price moves go after days, all others after weeks.
DROP INDEX webhook_deliveries_by_age;
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries ((kind = 'odds.change'), settled_at) WHERE settled_at IS NOT NULL;

-- A lease on the delivery itself counts.
DROP TABLE webhook_slots;

-- Hours in which an attempt failed, of the last days: a webhook that failed on each of five days and delivered nothing is disabled.
CREATE TABLE webhook_failures (
  webhook_id text NOT NULL,
  hour timestamptz NOT NULL,
  PRIMARY KEY (webhook_id, hour)
);

-- Rows come and go all day.
ALTER TABLE webhook_deliveries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
