-- Outside a transaction.
-- Written by `pack_price_paths` alone; the index has the races of which something is to be packed, and not all that were. `packing_tried_at`: the last try,
-- whatever came of it; the next one is days later, so that what cannot be packed is not read every hour.
ALTER TABLE archived_races ADD COLUMN IF NOT EXISTS withheld_packed_at timestamptz, ADD COLUMN IF NOT EXISTS lines_packed_at timestamptz,
  ADD COLUMN IF NOT EXISTS packing_tried_at timestamptz;
DROP INDEX CONCURRENTLY IF EXISTS archived_races_with_rows;
CREATE INDEX CONCURRENTLY archived_races_with_rows ON archived_races (start_time, race_id)
  WHERE paths_packed_at IS NULL OR withheld_packed_at IS NULL OR lines_packed_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS archived_races_to_pack;
