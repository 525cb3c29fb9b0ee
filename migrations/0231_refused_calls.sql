-- Refused calls of an account's keys, for its owner, for 30 days. Without references, so that writing them waits for no account.

-- How many, by five minutes of the wall clock. Each API process has a row, and writes its whole count: writing it twice changes nothing.
CREATE TABLE IF NOT EXISTS refused_counts (
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  code text NOT NULL,
  from_at timestamptz NOT NULL,
  process uuid NOT NULL,
  calls integer NOT NULL CHECK (calls > 0),
  PRIMARY KEY (account_id, from_at, key_id, code, process)
);
CREATE INDEX IF NOT EXISTS refused_counts_from ON refused_counts (from_at);

-- The newest of each key and code.
CREATE TABLE IF NOT EXISTS refused_calls (
  account_id uuid NOT NULL,
  key_id uuid NOT NULL,
  code text NOT NULL,
  at timestamptz NOT NULL,
  request_id text NOT NULL,
  -- `GET /v1/racing/best-odds`.
  operation text NOT NULL,
  status smallint NOT NULL,
  detail text NOT NULL,
  PRIMARY KEY (account_id, key_id, code, at, request_id)
);
CREATE INDEX IF NOT EXISTS refused_calls_at ON refused_calls (at);
CREATE INDEX IF NOT EXISTS refused_calls_by_request ON refused_calls (account_id, request_id);
