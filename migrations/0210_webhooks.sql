-- Webhooks as their owners manage them (B 4.14, D57).
CREATE TABLE webhooks (
  webhook_id text PRIMARY KEY CHECK (webhook_id ~ '^wh_[0-9a-f]{12}$'),
  account_id uuid NOT NULL REFERENCES accounts,
  url text NOT NULL,
  -- Empty: all, of each filter.
  events text[] NOT NULL DEFAULT '{}',
  sports text[] NOT NULL DEFAULT '{}',
  countries text[] NOT NULL DEFAULT '{}',
  min_edge_pct double precision,
  -- Signs, so it is stored readable or sealed. During a rotation the previous one signs too.
  secret text NOT NULL,
  previous_secret text,
  previous_until timestamptz,
  paused boolean NOT NULL DEFAULT false,
  disabled_at timestamptz,
  disabled_reason text CHECK (disabled_reason IN ('gone', 'failing')),
  disabled_mailed_at timestamptz,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  last_delivery_at timestamptz,
  -- Failed attempts since the last success.
  failure_count integer NOT NULL DEFAULT 0,
  -- The receiver wants fewer: nothing is posted before.
  slow_until timestamptz,
  -- When its owner enabled it again: failures before that do not count towards the next five days.
  enabled_at timestamptz,
  -- The last success took seconds: such an endpoint gets as little room as a failing one.
  lagging boolean NOT NULL DEFAULT false,
  -- Only events of these venues: names in any spelling of a feed, as they were sent. Empty: all.
  venues text[] NOT NULL DEFAULT '{}',
  -- Only events that name one of these books. Empty: all.
  bookmakers text[] NOT NULL DEFAULT '{}',
  -- The least move of an `odds.change`, in percent of the price before. Null: any.
  min_move_pct double precision,
  -- How long it took of late to answer with a success, in milliseconds. Null: it has not yet.
  pace_ms integer,
  -- Its first 410 since it last delivered.
  gone_since timestamptz,
  -- How often its URL changed, and the last time; null: never. What its old URL answered is no failure of its new one.
  url_changes integer NOT NULL DEFAULT 0,
  url_since timestamptz,
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL)),
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
);
CREATE INDEX webhooks_of_account ON webhooks (account_id) WHERE deleted_at IS NULL;
-- Owners who are still to be mailed.
CREATE INDEX webhooks_to_mail ON webhooks (disabled_at) WHERE disabled_at IS NOT NULL AND disabled_mailed_at IS NULL;
CREATE TRIGGER webhook_disabled AFTER UPDATE ON webhooks FOR EACH ROW
  WHEN (NEW.disabled_at IS DISTINCT FROM OLD.disabled_at) EXECUTE FUNCTION keep_disabling();

-- When each webhook was disabled. Null: it is now.
CREATE TABLE webhook_disablings (
  webhook_id text NOT NULL,
  disabled_at timestamptz NOT NULL,
  enabled_at timestamptz,
  PRIMARY KEY (webhook_id, disabled_at)
);

-- What is sent to webhooks. Its days are as those of `events`. Unique is each part by itself, so D54's key (event, webhook) carries the day and
-- whether it is a price move: a first delivery has the time of its event, so a fan-out that is repeated meets the rows of the first.
CREATE TABLE webhook_deliveries (
  delivery_id text NOT NULL DEFAULT 'dl_' || replace(gen_random_uuid()::text, '-', '') CHECK (delivery_id ~ '^dl_[0-9a-f]{32}$'),
  webhook_id text NOT NULL,
  -- Also the `webhook-id` of every attempt. Of a test: an id without a row.
  event_id text NOT NULL,
  kind text NOT NULL,
  race_id uuid,
  -- `events.written`; first attempts for one race keep this order.
  written bigint,
  replay_of text,
  test boolean NOT NULL DEFAULT false,
  -- Of a test; otherwise the event has it.
  body text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'retrying', 'delivered', 'failed', 'cancelled')),
  attempt_count smallint NOT NULL DEFAULT 0,
  status_code smallint,
  error text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Not posted before.
  due_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  delivered_at timestamptz,
  settled_at timestamptz,
  -- The event's: first attempts for one race keep this order at each endpoint. Null: no race, a test, a replay.
  sequence integer,
  -- When its event was written: which day of `events` has the body. Null: of a test.
  event_at timestamptz,
  CHECK (test = (body IS NOT NULL)),
  CHECK ((status = 'delivered') = (delivered_at IS NOT NULL)),
  CHECK ((status IN ('pending', 'retrying')) = (settled_at IS NULL))
) PARTITION BY RANGE (created_at);
-- As those of `events`. Rows come and go all day, and the room is for the end of a delivery.
CREATE TABLE event_days.webhook_deliveries_before (
  LIKE webhook_deliveries INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (delivery_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05, fillfactor = 50);
CREATE TABLE event_days.webhook_deliveries_default PARTITION OF webhook_deliveries (PRIMARY KEY (delivery_id)) DEFAULT;

-- In days, as deliveries. Written before the post: an attempt without an end was cut off.
CREATE TABLE webhook_attempts (
  delivery_id text NOT NULL,
  attempt smallint NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer,
  status_code smallint,
  error text,
  webhook_id text,
  -- `webhooks.url_changes` as it began: which URL it was posted to.
  url_changes integer NOT NULL DEFAULT 0,
  -- Of the delivery.
  kind text
) PARTITION BY RANGE (started_at);
CREATE TABLE event_days.webhook_attempts_before (
  LIKE webhook_attempts INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
  CONSTRAINT webhook_attempts_pkey PRIMARY KEY (delivery_id, attempt)
);
CREATE TABLE event_days.webhook_attempts_default PARTITION OF webhook_attempts (PRIMARY KEY (delivery_id, attempt)) DEFAULT;

CREATE UNIQUE INDEX webhook_deliveries_once ON event_days.webhook_deliveries_before (event_id, webhook_id) WHERE replay_of IS NULL;
CREATE INDEX webhook_deliveries_of_webhook ON event_days.webhook_deliveries_before (webhook_id, created_at DESC, delivery_id);
CREATE INDEX webhook_deliveries_replayable ON event_days.webhook_deliveries_before (webhook_id, created_at)
  WHERE replay_of IS NULL AND NOT test AND kind <> 'odds.change';
CREATE INDEX webhook_deliveries_by_age ON event_days.webhook_deliveries_before ((kind = 'odds.change'), created_at);
CREATE UNIQUE INDEX ON event_days.webhook_deliveries_default (event_id, webhook_id) WHERE replay_of IS NULL;
CREATE INDEX ON event_days.webhook_deliveries_default (created_at);
CREATE INDEX ON event_days.webhook_attempts_default (started_at);
-- As for `events`.
DO $$
DECLARE
  cut timestamptz := date_trunc('day', now() + interval '12 hours', 'UTC') + interval '1 day';
BEGIN
  EXECUTE format('ALTER TABLE webhook_deliveries ATTACH PARTITION event_days.webhook_deliveries_before FOR VALUES FROM (MINVALUE) TO (%L)', cut);
  EXECUTE format('ALTER TABLE webhook_attempts ATTACH PARTITION event_days.webhook_attempts_before FOR VALUES FROM (MINVALUE) TO (%L)', cut);
END $$;
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, created_at DESC, delivery_id);
-- A range replay passes by price moves, by far the most of all rows.
CREATE INDEX webhook_deliveries_replayable ON webhook_deliveries (webhook_id, created_at)
  WHERE replay_of IS NULL AND NOT test AND kind <> 'odds.change';
CREATE TRIGGER deliveries_made AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION queue_deliveries();
CREATE TRIGGER deliveries_changed AFTER UPDATE ON webhook_deliveries REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION dequeue_deliveries();
-- For a writer that does not state when the event was written.
CREATE TRIGGER delivery_dated BEFORE INSERT ON webhook_deliveries FOR EACH ROW
  WHEN (NEW.event_at IS NULL AND NOT NEW.test) EXECUTE FUNCTION date_delivery();

-- What workers look for, lease and end is in this narrow table, so that a delivery's own row changes once and in no index. Triggers keep it: it has exactly
-- the deliveries that are pending or retrying.
CREATE TABLE webhook_queue (
  delivery_id text PRIMARY KEY,
  webhook_id text NOT NULL,
  event_id text NOT NULL,
  kind text NOT NULL,
  race_id uuid,
  sequence integer,
  -- 0 tests, 1 first attempts, 2 replays, 3 what a workflow retries, 4 the second and third attempts, which lanes make (D65).
  rank smallint NOT NULL CHECK (rank BETWEEN 0 AND 4),
  -- Begun, the one that is under way included.
  attempt_count smallint NOT NULL,
  created_at timestamptz NOT NULL,
  -- Not posted before.
  due_at timestamptz NOT NULL,
  leased_until timestamptz,
  -- When its workflow looks again, if it is due and its endpoint has no room.
  looks_at timestamptz,
  -- As in `webhook_deliveries`.
  event_at timestamptz
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
CREATE INDEX webhook_queue_waiting ON webhook_queue (webhook_id, rank, due_at) WHERE rank < 3;
CREATE INDEX webhook_queue_tests ON webhook_queue (due_at) WHERE rank = 0;
CREATE INDEX webhook_queue_retrying ON webhook_queue (webhook_id, due_at) WHERE rank = 3;
-- First attempts for one race keep their order at each endpoint.
CREATE INDEX webhook_queue_in_order ON webhook_queue (race_id, webhook_id, sequence) WHERE rank = 1 AND sequence IS NOT NULL;
CREATE INDEX webhook_queue_again ON webhook_queue (webhook_id, due_at) WHERE rank = 4;
CREATE INDEX webhook_queue_again_due ON webhook_queue (due_at) WHERE rank = 4;
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

-- Hours in which an attempt failed, of the last days: a webhook that failed on each of five days and delivered nothing is disabled.
CREATE TABLE webhook_failures (
  webhook_id text NOT NULL,
  hour timestamptz NOT NULL,
  PRIMARY KEY (webhook_id, hour)
);

-- What was answered to a range replay under an Idempotency-Key. Kept for a day.
CREATE TABLE webhook_replays (
  account_id uuid NOT NULL REFERENCES accounts,
  idempotency_key text NOT NULL,
  webhook_id text NOT NULL,
  -- Hash of what was sent.
  request text NOT NULL,
  replayed integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, idempotency_key)
);
CREATE INDEX webhook_replays_by_age ON webhook_replays (created_at);
