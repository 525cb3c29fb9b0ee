-- Bulk files (A 4.13, D47): what stands in the file store, and who has paid for which of them.
CREATE TABLE bulk_files (
  dataset text NOT NULL,
  -- A Sydney day (`2026-11-20`) or a calendar month (`2026-11`).
  period text NOT NULL CHECK (period ~ '^\d{4}-\d\d(-\d\d)?$'),
  format text NOT NULL CHECK (format IN ('parquet', 'csv')),
  version integer NOT NULL CHECK (version > 0),
  -- In the file store.
  name text NOT NULL UNIQUE,
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  bytes bigint NOT NULL CHECK (bytes > 0),
  rows bigint NOT NULL CHECK (rows >= 0),
  built_at timestamptz NOT NULL,
  -- Null: it is served. The version before stays for two days.
  superseded_at timestamptz,
  PRIMARY KEY (dataset, period, format, version)
);
CREATE UNIQUE INDEX bulk_files_served ON bulk_files (dataset, period, format) WHERE superseded_at IS NULL;

-- What the files of a period were built from.
CREATE TABLE bulk_periods (
  dataset text NOT NULL,
  period text NOT NULL,
  -- Of the rows, or of the files of days.
  checksum text NOT NULL,
  -- Of the dataset's columns: files of other columns are built again.
  columns_key text NOT NULL,
  built_at timestamptz NOT NULL,
  checked_at timestamptz NOT NULL,
  PRIMARY KEY (dataset, period)
);

-- A version is charged once per account and 24 hours: every part of it goes under one charge.
CREATE TABLE bulk_downloads (
  account_id uuid NOT NULL,
  name text NOT NULL,
  charge_id uuid NOT NULL,
  -- Wall.
  begun_at timestamptz NOT NULL,
  charged boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, name)
);
