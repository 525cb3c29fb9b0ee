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
  races integer CHECK (races > 0),
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
  -- Of type `sports`: the next matches of one sport in one market.
  type text NOT NULL DEFAULT 'racing' CHECK (type IN ('racing', 'sports')),
  sport_key text,
  market text CHECK (market IN ('h2h', 'spreads', 'totals')),
  matches integer CHECK (matches > 0),
  -- Null: no limit.
  max_fills_per_month integer CHECK (max_fills_per_month > 0),
  UNIQUE (account_id, request_key),
  CONSTRAINT widgets_of_one_type CHECK (CASE type
    WHEN 'racing' THEN races IS NOT NULL AND num_nonnulls(sport_key, market, matches) = 0
    ELSE races IS NULL AND categories = '{}' AND countries = '{}' AND num_nulls(sport_key, market, matches) = 0 END)
);
CREATE INDEX widgets_of_account ON widgets (account_id, created_at);

-- The fills of about an hour: each was charged. One parameter set is charged once in 60 seconds.
CREATE TABLE widget_fills (
  widget_id text NOT NULL REFERENCES widgets ON DELETE CASCADE,
  -- A hash of what is read.
  parameters text NOT NULL,
  filled_at timestamptz NOT NULL,
  -- A hash of the network that requested one race or match; null: the usual set.
  reader text,
  -- With a token of the widget's own page.
  by_page boolean NOT NULL DEFAULT false,
  PRIMARY KEY (widget_id, parameters, filled_at)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX widget_fills_by_time ON widget_fills (widget_id, filled_at);

-- The prices that were filled last, for readers that are refused.
CREATE TABLE widget_last_prices (
  widget_id text NOT NULL REFERENCES widgets ON DELETE CASCADE,
  -- A hash of which bookmakers are compared, and in which market.
  reading text NOT NULL,
  -- A race or a match.
  shown_id text NOT NULL,
  filled_at timestamptz NOT NULL,
  prices jsonb NOT NULL,
  PRIMARY KEY (widget_id, reading, shown_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02);

-- The fills of a month, and the mail that announces its limit.
CREATE TABLE widget_months (
  widget_id text NOT NULL REFERENCES widgets ON DELETE CASCADE,
  -- First day of the UTC month.
  period date NOT NULL,
  fills integer NOT NULL,
  -- Of them, of single races and matches.
  singles integer NOT NULL,
  -- The limit that its owner was mailed about; null: no mail was written.
  mailed_for integer,
  PRIMARY KEY (widget_id, period)
) WITH (autovacuum_vacuum_scale_factor = 0.02);
