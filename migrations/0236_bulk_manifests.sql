-- The signed manifest of each version of a period's bulk files, written in the transaction that publishes them.
CREATE TABLE IF NOT EXISTS bulk_manifests (
  dataset text NOT NULL,
  period text NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  -- Canonical JSON (RFC 8785), as it was signed.
  text text NOT NULL,
  key_id text NOT NULL,
  -- Ed25519, in base64.
  signature text NOT NULL,
  PRIMARY KEY (dataset, period, version)
);
