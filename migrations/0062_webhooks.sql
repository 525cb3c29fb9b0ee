-- Webhooks (B 4.14, B 6, D54 to D60). A fact writes one row of `events` in its own transaction; the fan-out makes deliveries of it.

CREATE TABLE events (
  event_id text PRIMARY KEY DEFAULT 'evt_' || replace(gen_random_uuid()::text, '-', '') CHECK (event_id ~ '^evt_[0-9a-f]{32}$'),
  -- The order of writing. Later numbers may commit first: rows are claimed by state, never by a cursor.
  written bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  race_id uuid,
  category text,
  country text,
  -- Only this account's webhooks; null: everybody's.
  account_id uuid,
  -- Race time, of the fact.
  occurred_at timestamptz NOT NULL,
  -- The members of its payload, but for those that every event has.
  facts jsonb NOT NULL,
  -- Wall time, as everything below.
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- By the fan-out: deliveries exist, the body is what is sent and signed, and `sequence` counts the events of the race.
  fanned_at timestamptz,
  sequence integer,
  body text,
  CHECK ((fanned_at IS NULL) = (body IS NULL))
);
CREATE INDEX events_new ON events (written) WHERE fanned_at IS NULL;
CREATE INDEX events_by_age ON events (written_at);

-- What is announced once, for ever (D59). Never pruned.
CREATE TABLE event_keys (
  key text PRIMARY KEY,
  event_id text NOT NULL
);

-- The last `sequence` of each race.
CREATE TABLE event_sequences (
  race_id uuid PRIMARY KEY,
  last integer NOT NULL
);

CREATE TABLE webhooks (
  webhook_id text PRIMARY KEY CHECK (webhook_id ~ '^wh_[0-9a-f]{12}$'),
  account_id uuid NOT NULL REFERENCES accounts,
  url text NOT NULL,
  -- Empty: all, of each filter.
  events text[] NOT NULL DEFAULT '{}',
  sports text[] NOT NULL DEFAULT '{}',
  countries text[] NOT NULL DEFAULT '{}',
  min_edge_pct double precision,
  -- Signs, so it is stored as it is. During a rotation the previous one signs too.
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
  CHECK ((previous_secret IS NULL) = (previous_until IS NULL)),
  CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL))
);
CREATE INDEX webhooks_of_account ON webhooks (account_id) WHERE deleted_at IS NULL;

CREATE TABLE webhook_deliveries (
  delivery_id text PRIMARY KEY DEFAULT 'dl_' || replace(gen_random_uuid()::text, '-', '') CHECK (delivery_id ~ '^dl_[0-9a-f]{32}$'),
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
  leased_until timestamptz,
  delivered_at timestamptz,
  settled_at timestamptz,
  CHECK (test = (body IS NOT NULL)),
  CHECK ((status = 'delivered') = (delivered_at IS NOT NULL)),
  CHECK ((status IN ('pending', 'retrying')) = (settled_at IS NULL))
);
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (event_id, webhook_id) WHERE replay_of IS NULL;
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, created_at DESC, delivery_id);
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (status, due_at) WHERE status IN ('pending', 'retrying');
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (settled_at);

-- Written before the post: an attempt without an end was cut off.
CREATE TABLE webhook_attempts (
  delivery_id text NOT NULL REFERENCES webhook_deliveries ON DELETE CASCADE,
  attempt smallint NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer,
  status_code smallint,
  error text,
  PRIMARY KEY (delivery_id, attempt)
);

-- At most four posts in flight to an endpoint, over all workers.
CREATE TABLE webhook_slots (
  webhook_id text NOT NULL,
  slot smallint NOT NULL CHECK (slot BETWEEN 1 AND 4),
  delivery_id text NOT NULL,
  leased_until timestamptz NOT NULL,
  PRIMARY KEY (webhook_id, slot)
);
