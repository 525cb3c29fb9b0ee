-- Outside a transaction.
-- As 0262, with closing lines.
ALTER TABLE archived_races ADD COLUMN IF NOT EXISTS lines_packed_at timestamptz;
DROP INDEX CONCURRENTLY IF EXISTS archived_races_with_rows;
CREATE INDEX CONCURRENTLY archived_races_with_rows ON archived_races (start_time, race_id)
  WHERE paths_packed_at IS NULL OR withheld_packed_at IS NULL OR lines_packed_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS archived_races_unpacked;
