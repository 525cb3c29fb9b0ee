-- How the collectors are doing.
CREATE TABLE connector_health (
  connector text PRIMARY KEY,
  last_ok_at timestamptz,
  last_poll_at timestamptz,
  -- The last poll's outcome: `ok`, or the failure's reason.
  status text NOT NULL,
  message text,
  polls bigint NOT NULL DEFAULT 0,
  records_written bigint NOT NULL DEFAULT 0
);

-- Everything dropped or failed is counted with its reason, per connector and UTC day.
CREATE TABLE connector_counts (
  connector text NOT NULL,
  day date NOT NULL,
  kind text NOT NULL CHECK (kind IN ('dropped', 'failed', 'refused')),
  reason text NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (connector, day, kind, reason)
);

-- What stands before each book in each worker: the breaker, the budget it may count on, and what was not sent. Written by the worker
-- every few seconds; a row of a worker that has fallen silent means nothing any more.
CREATE TABLE connector_gates (
  connector text NOT NULL,
  worker text NOT NULL,
  breaker text NOT NULL CHECK (breaker IN ('closed', 'open', 'half_open')),
  breaker_since timestamptz NOT NULL,
  -- Calls a second this worker may count on: the whole rate of the book while it is shared, else its own share.
  budget_per_second double precision NOT NULL,
  budget_source text NOT NULL CHECK (budget_source IN ('shared', 'own_share')),
  -- Calls that were not sent since the worker began.
  refused_over_budget bigint NOT NULL,
  refused_breaker bigint NOT NULL,
  reported_at timestamptz NOT NULL,
  PRIMARY KEY (connector, worker)
);

CREATE TABLE uptime_checks (
  checked_at timestamptz PRIMARY KEY,
  ok boolean NOT NULL,
  latency_ms integer NOT NULL,
  target text NOT NULL
);

-- Audits of the prices that the API serves against what bookmakers show (A 4.13): one row a run, and what it found. Kept 30 days, by the run that ends
-- after that (`src/store/quality/audits.ts`). Only books that customers may see are audited (D14).
CREATE TABLE quality_audits (
  run_id uuid PRIMARY KEY,
  sport_key text NOT NULL,
  market_type text NOT NULL,
  started_at timestamptz NOT NULL,
  -- Null while it runs, and for good when it failed.
  finished_at timestamptz,
  verdict text CHECK (verdict IN ('ok', 'differs', 'empty')),
  api_rows integer,
  source_rows integer,
  common_rows integer,
  exact_matches integer,
  diff_rows integer,
  missing_api integer,
  missing_source integer,
  -- Null: nothing was compared.
  max_delta double precision,
  books_checked integer,
  races_checked integer,
  outliers integer,
  -- How many of its findings are cross-checks.
  cross_checks integer,
  CHECK ((finished_at IS NULL) = (verdict IS NULL))
);
CREATE INDEX quality_audits_newest ON quality_audits (sport_key, started_at DESC);
CREATE INDEX quality_audits_by_age ON quality_audits (started_at);

CREATE TABLE quality_findings (
  run_id uuid NOT NULL REFERENCES quality_audits ON DELETE CASCADE,
  position integer NOT NULL,
  bookmaker_key text NOT NULL,
  -- Null: it is about a match, or about all races of a bookmaker.
  race_id uuid,
  venue text,
  race_number integer,
  day date,
  status text NOT NULL CHECK (status IN ('diff', 'missing_api', 'missing_source', 'outlier', 'unread', 'cross_check')),
  delta double precision,
  message text NOT NULL,
  api json NOT NULL,
  source json NOT NULL,
  market text,
  -- Of what is about no race: the three parts of its key, and the match.
  event_key json,
  event_id uuid,
  PRIMARY KEY (run_id, position),
  CONSTRAINT quality_findings_about_check
    CHECK (CASE WHEN race_id IS NULL THEN event_key IS NOT NULL ELSE num_nulls(venue, race_number, day) = 0 END)
);

-- How far the prices of each bookmaker usually are from the others' (`src/domain/quality/book-level.ts`), moved once by each audit that ends.
CREATE TABLE quality_levels (
  bookmaker_key text NOT NULL,
  sport_key text NOT NULL,
  distance double precision NOT NULL,
  spread double precision NOT NULL,
  readings integer NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (bookmaker_key, sport_key)
);

-- The newest push of each bookmaker that was compared with what is served of it. The next audit takes it into its run.
CREATE TABLE quality_push_checks (
  bookmaker_key text NOT NULL,
  -- Of a racing sport, or `sports` of all matches.
  sport_key text NOT NULL,
  checked_at timestamptz NOT NULL,
  figures json NOT NULL,
  findings json NOT NULL,
  PRIMARY KEY (bookmaker_key, sport_key)
);

-- The good backups of this database that `ops backup-done` found in the repository, the newest at each call. By the clock of the machine that took them.
CREATE TABLE backups (
  -- Its name in the repository.
  label text PRIMARY KEY,
  kind text NOT NULL,
  ended_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now()
);

-- When the work of each Schedule last succeeded, by this server's clock: Temporal knows that a run was started, and an alert needs its success. A new
-- Schedule begins with the time at which it was first made, so that one that never succeeds grows old too.
CREATE TABLE schedule_runs (
  schedule_id text PRIMARY KEY,
  succeeded_at timestamptz NOT NULL DEFAULT now()
);

-- Secrets of this database, made where it is created: signed links need no setting. A UUID has 122 random bits.
CREATE TABLE service_secrets (
  name text PRIMARY KEY,
  secret bytea NOT NULL
);
INSERT INTO service_secrets VALUES
  ('upgrade_links', sha256((gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text)::bytea));

-- Under which key of SECRET_KEYS secrets are sealed that must be read again; null: they are stored as they are.
-- One row, which `ops secrets seal` writes.
CREATE TABLE secret_sealing (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  key_id text
);
INSERT INTO secret_sealing DEFAULT VALUES;
