-- The good backups of this database that `ops backup-done` found in the repository, the newest at each call. By the clock of the machine that took them.
CREATE TABLE backups (
  -- Its name in the repository.
  label text PRIMARY KEY,
  kind text NOT NULL,
  ended_at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now()
);
