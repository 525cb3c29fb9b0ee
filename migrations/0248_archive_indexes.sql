-- Outside a transaction.
-- Written by `pack_price_paths` alone; the index has what is to be packed, and not all that was.
ALTER TABLE archived_races ADD COLUMN IF NOT EXISTS paths_packed_at timestamptz;
DROP INDEX CONCURRENTLY IF EXISTS archived_races_to_pack;
CREATE INDEX CONCURRENTLY archived_races_to_pack ON archived_races (start_time, race_id)
  WHERE paths_packed_at IS NULL;
-- The place of a page is found in the counts of its days, over every series: three years of them, without their table.
DROP INDEX CONCURRENTLY IF EXISTS archived_day_counts_of_days;
CREATE INDEX CONCURRENTLY archived_day_counts_of_days
  ON archived_day_counts (what, start_day, category, country, resulted, closing, split, fragment, scratched) INCLUDE (n) WHERE series = '';
