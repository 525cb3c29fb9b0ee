-- Outside a transaction.
-- What is to be packed, and not all that was.
DROP INDEX CONCURRENTLY IF EXISTS archived_races_to_pack;
CREATE INDEX CONCURRENTLY archived_races_to_pack ON archived_races (start_time, race_id)
  WHERE ticks_dropped_at IS NOT NULL AND paths_packed_at IS NULL;
