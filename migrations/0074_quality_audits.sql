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
  CHECK ((finished_at IS NULL) = (verdict IS NULL))
);
CREATE INDEX quality_audits_newest ON quality_audits (sport_key, started_at DESC);
CREATE INDEX quality_audits_by_age ON quality_audits (started_at);

CREATE TABLE quality_findings (
  run_id uuid NOT NULL REFERENCES quality_audits ON DELETE CASCADE,
  position integer NOT NULL,
  bookmaker_key text NOT NULL,
  race_id uuid NOT NULL,
  venue text NOT NULL,
  race_number integer NOT NULL,
  day date NOT NULL,
  status text NOT NULL CHECK (status IN ('diff', 'missing_api', 'missing_source', 'outlier', 'unread')),
  delta double precision,
  message text NOT NULL,
  api json NOT NULL,
  source json NOT NULL,
  PRIMARY KEY (run_id, position)
);
