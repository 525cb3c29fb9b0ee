-- Under which key of SECRET_KEYS secrets are sealed that must be read again; null: they are stored as they are, as the release before reads them.
-- One row, which `ops secrets seal` writes.
CREATE TABLE secret_sealing (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  key_id text
);
INSERT INTO secret_sealing DEFAULT VALUES;
