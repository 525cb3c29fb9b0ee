-- Form backfill (B 2.9, B 3). What stands here decides; Temporal only makes it go on. No table of the live board is referred to or locked, so that no
-- delivery holds `changes` back.
CREATE TABLE backfill_jobs (
  job_id text PRIMARY KEY CHECK (job_id ~ '^bf_\d{8}_[0-9a-z]{6}$'),
  account_id uuid NOT NULL,
  -- The key of the order: its use in the ledger.
  key_id uuid NOT NULL,
  -- Credits for a delivered horse; 0 for an operator's key.
  price smallint NOT NULL CHECK (price >= 0),
  label text,
  -- Race time.
  submitted_at timestamptz NOT NULL,
  -- SHA-256 of list and label: the same one again, shortly after, is the same job.
  request text NOT NULL CHECK (request ~ '^[0-9a-f]{64}$'),
  -- Counts and inputs that were not found, as the submission was answered.
  submission jsonb NOT NULL
);
CREATE INDEX backfill_jobs_of_account ON backfill_jobs (account_id, request, submitted_at DESC);

CREATE TABLE backfill_items (
  job_id text NOT NULL REFERENCES backfill_jobs,
  -- In the list.
  place smallint NOT NULL,
  account_id uuid NOT NULL,
  input text NOT NULL,
  -- As `runnerKey` folds it.
  runner_key text NOT NULL,
  name text NOT NULL,
  -- Codes of the horse, first the one that is read.
  refs text[] NOT NULL CHECK (cardinality(refs) > 0),
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'done', 'failed', 'cancelled')),
  -- Of the job. Race time, as every instant here.
  queued_at timestamptz NOT NULL,
  -- The stored page (`horse_forms`) that may be delivered; null while one has to be read.
  page_ref text,
  tries smallint NOT NULL DEFAULT 0,
  -- Not read before this: a read has failed.
  next_try_at timestamptz,
  settled_at timestamptz,
  -- What was delivered and charged, as it was then.
  fetched_at timestamptz,
  form jsonb,
  trainers jsonb,
  PRIMARY KEY (job_id, place),
  UNIQUE (job_id, runner_key),
  CHECK ((state = 'queued') = (settled_at IS NULL)),
  CHECK ((state = 'done') = (form IS NOT NULL) AND (state = 'done') = (fetched_at IS NOT NULL))
);
-- A horse is queued once for an account, in whichever job.
CREATE UNIQUE INDEX backfill_items_queued ON backfill_items (account_id, runner_key) WHERE state = 'queued';
CREATE INDEX backfill_items_in_order ON backfill_items (account_id, queued_at, job_id, place) WHERE state = 'queued' AND page_ref IS NULL;
CREATE INDEX backfill_items_of_horse ON backfill_items (runner_key) WHERE state = 'queued';
CREATE INDEX backfill_items_settled ON backfill_items (job_id, settled_at, place) WHERE state IN ('done', 'failed');
CREATE TRIGGER backfill_announced AFTER UPDATE ON backfill_items REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION announce_backfill();

-- Accounts take turns at the registry (D52).
CREATE TABLE backfill_accounts (
  account_id uuid PRIMARY KEY,
  -- The account with the smallest is next.
  turn bigint NOT NULL,
  -- Its balance was too low for a horse when a worker last compared them: nothing is read for it.
  blocked boolean NOT NULL DEFAULT false
);

-- Reads for backfill under way, so that none is made twice, and those of the last quarter of an hour, which are the pace.
CREATE TABLE backfill_reads (
  runner_key text PRIMARY KEY,
  -- Wall time: the lease of a worker that died ends by itself.
  leased_until timestamptz NOT NULL,
  read_at timestamptz
);
CREATE INDEX backfill_reads_of_late ON backfill_reads (read_at);

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
  -- More than one call went under this charge, so none of them takes it back.
  shared boolean NOT NULL DEFAULT false,
  PRIMARY KEY (account_id, name)
);
