-- Outside a transaction.
-- Written by `pack_price_paths` alone; the index has the races of which something is to be packed, and not all that were.
ALTER TABLE archived_races ADD COLUMN IF NOT EXISTS withheld_packed_at timestamptz;
DROP INDEX CONCURRENTLY IF EXISTS archived_races_unpacked;
CREATE INDEX CONCURRENTLY archived_races_unpacked ON archived_races (start_time, race_id)
  WHERE paths_packed_at IS NULL OR withheld_packed_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS archived_races_to_pack;
