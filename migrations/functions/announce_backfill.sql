-- Trigger on backfill_items: announces a job whose last horse was delivered or has failed. A job of which a horse was cancelled is never complete. A form
-- that is moved (`src/store/backfill/stored-forms.ts`) was delivered before.
CREATE OR REPLACE FUNCTION announce_backfill() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  job backfill_jobs;
  counts record;
BEGIN
  -- The lock: of two horses that are settled at the same moment, the later one sees the other.
  FOR job IN
    SELECT j.* FROM backfill_jobs j WHERE j.job_id IN (SELECT w.job_id FROM written w WHERE w.state IN ('done', 'failed') AND w.form_hash IS NULL)
     ORDER BY j.job_id FOR NO KEY UPDATE
  LOOP
    CONTINUE WHEN EXISTS (SELECT FROM backfill_items i WHERE i.job_id = job.job_id AND i.state IN ('queued', 'cancelled'));
    SELECT count(*) AS total, count(*) FILTER (WHERE i.state = 'done') AS done, count(*) FILTER (WHERE i.state = 'failed') AS failed,
           max(i.settled_at) AS at
      INTO counts FROM backfill_items i WHERE i.job_id = job.job_id;
    PERFORM write_event(
      'backfill.completed ' || job.job_id, 'backfill.completed', NULL, job.account_id, counts.at,
      jsonb_build_object(
        'job_id', job.job_id, 'label', job.label, 'submitted_at', instant_text(job.submitted_at), 'total', counts.total,
        'done', counts.done, 'failed', counts.failed, 'credits_charged', job.price * counts.done));
  END LOOP;
  RETURN NULL;
END $$;
