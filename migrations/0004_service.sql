-- Who may call, and how the collectors are doing.
CREATE TABLE api_keys (
  key_hash bytea PRIMARY KEY,
  last4 text NOT NULL,
  label text NOT NULL,
  plan text NOT NULL,
  role text NOT NULL DEFAULT 'customer' CHECK (role IN ('customer', 'internal')),
  issued_at timestamptz NOT NULL,
  revoked_at timestamptz
);

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

CREATE TABLE uptime_checks (
  checked_at timestamptz PRIMARY KEY,
  ok boolean NOT NULL,
  latency_ms integer NOT NULL,
  target text NOT NULL
);
