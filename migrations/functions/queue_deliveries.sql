-- Trigger on webhook_deliveries: what is still to be posted is queued.
CREATE OR REPLACE FUNCTION queue_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO webhook_queue (delivery_id, webhook_id, event_id, kind, race_id, sequence, rank, attempt_count, created_at, due_at, event_at)
  SELECT delivery_id, webhook_id, event_id, kind, race_id, sequence,
         CASE WHEN status = 'retrying' THEN 3 WHEN test THEN 0 WHEN replay_of IS NULL THEN 1 ELSE 2 END, attempt_count, created_at, due_at, event_at
    FROM made WHERE status IN ('pending', 'retrying');
  RETURN NULL;
END $$;
