-- Outside a transaction.
-- The pages of jockeys, drivers and trainers find rides by the folded name: in the races of some days, and the latest among all runs. People of the
-- thoroughbred registry have codes.
DROP INDEX CONCURRENTLY IF EXISTS race_runners_of_jockey;
CREATE INDEX CONCURRENTLY race_runners_of_jockey ON race_runners (person_key(jockey), race_id);
DROP INDEX CONCURRENTLY IF EXISTS race_runners_of_trainer;
CREATE INDEX CONCURRENTLY race_runners_of_trainer ON race_runners (person_key(trainer), race_id);
DROP INDEX CONCURRENTLY IF EXISTS stored_runs_of_jockey;
CREATE INDEX CONCURRENTLY stored_runs_of_jockey ON stored_runs (person_key(jockey), start_time DESC);
DROP INDEX CONCURRENTLY IF EXISTS stored_runs_of_trainer;
CREATE INDEX CONCURRENTLY stored_runs_of_trainer ON stored_runs (person_key(trainer), start_time DESC);
DROP INDEX CONCURRENTLY IF EXISTS registry_runners_of_jockey;
CREATE INDEX CONCURRENTLY registry_runners_of_jockey ON registry_runners (jockey_code, updated_at DESC);
DROP INDEX CONCURRENTLY IF EXISTS registry_runners_of_trainer;
CREATE INDEX CONCURRENTLY registry_runners_of_trainer ON registry_runners (trainer_code, updated_at DESC);
