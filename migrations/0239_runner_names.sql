-- Outside a transaction.
-- The search of the site finds runners by the beginning of their folded name.
DROP INDEX CONCURRENTLY IF EXISTS race_runners_by_key;
CREATE INDEX CONCURRENTLY race_runners_by_key ON race_runners (runner_key text_pattern_ops);
