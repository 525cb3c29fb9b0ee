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
