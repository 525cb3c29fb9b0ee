-- When the work of each Schedule last succeeded, by this server's clock: Temporal knows that a run was started, and an alert needs its success. A new
-- Schedule begins with the time at which it was first made, so that one that never succeeds grows old too.
CREATE TABLE schedule_runs (
  schedule_id text PRIMARY KEY,
  succeeded_at timestamptz NOT NULL DEFAULT now()
);
