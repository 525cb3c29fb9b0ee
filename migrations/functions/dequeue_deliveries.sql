-- Trigger on webhook_deliveries: what has ended leaves the queue, and what is made again is due there at its new time, without a lease.
CREATE OR REPLACE FUNCTION dequeue_deliveries() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  DELETE FROM webhook_queue q USING changed c WHERE q.delivery_id = c.delivery_id AND c.status NOT IN ('pending', 'retrying');
  UPDATE webhook_queue q SET rank = CASE WHEN c.status = 'retrying' THEN 3 ELSE q.rank END, due_at = c.due_at, leased_until = NULL
    FROM changed c WHERE q.delivery_id = c.delivery_id AND c.status IN ('pending', 'retrying');
  RETURN NULL;
END $$;
