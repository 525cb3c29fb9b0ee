-- Outside a transaction.
-- The console lists the jobs of an account, newest first, a page at a time.
DROP INDEX CONCURRENTLY IF EXISTS backfill_jobs_newest;
CREATE INDEX CONCURRENTLY backfill_jobs_newest ON backfill_jobs (account_id, submitted_at DESC, job_id DESC);
