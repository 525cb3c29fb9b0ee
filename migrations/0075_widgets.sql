-- White-label widgets (A 4.13): best odds in a customer's own site, in a frame that we serve.
CREATE TABLE widgets (
  widget_id text PRIMARY KEY CHECK (widget_id ~ '^wg_[a-z2-7]{26}$'),
  account_id uuid NOT NULL REFERENCES accounts,
  -- Stands in the pages that embed the widget: every reader may see it. It shows the widget and opens nothing else.
  embed_id text NOT NULL UNIQUE CHECK (embed_id ~ '^we_[a-z2-7]{26}$'),
  name text NOT NULL,
  allowed_origins text[] NOT NULL,
  max_fills_per_hour integer NOT NULL CHECK (max_fills_per_hour > 0),
  -- By bookmaker key.
  link_templates jsonb NOT NULL,
  -- Empty: all, of each.
  bookmakers text[] NOT NULL,
  categories text[] NOT NULL,
  countries text[] NOT NULL,
  races integer NOT NULL CHECK (races > 0),
  title text,
  accent text NOT NULL CHECK (accent ~ '^#[0-9a-f]{6}$'),
  theme text NOT NULL CHECK (theme IN ('auto', 'light', 'dark')),
  paused boolean NOT NULL,
  -- Wall time, as all times here.
  created_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  last_filled_at timestamptz,
  -- Of the request that made it, and the hash of its body: sent again, it makes no second one.
  request_key text,
  request text,
  UNIQUE (account_id, request_key)
);
CREATE INDEX widgets_of_account ON widgets (account_id, created_at);

-- The fills of about an hour: each was charged. One parameter set is charged once in 60 seconds.
CREATE TABLE widget_fills (
  widget_id text NOT NULL REFERENCES widgets ON DELETE CASCADE,
  -- A hash of what is read.
  parameters text NOT NULL,
  filled_at timestamptz NOT NULL,
  PRIMARY KEY (widget_id, parameters, filled_at)
);
CREATE INDEX widget_fills_by_time ON widget_fills (widget_id, filled_at);
ALTER TABLE widget_fills SET (autovacuum_vacuum_scale_factor = 0.02);
