-- Trigger on webhook_deliveries: what has ended leaves the queue, and what is made again is due there at its new time, without a lease. Lanes make the
-- first three attempts, a workflow the others (D65); what a workflow carries it carries to its end. An attempt that was cut off made nothing due
-- later, is made again by whoever began it, and is none of the three.
CREATE OR REPLACE FUNCTION dequeue_deliveries() RETURNS trigger LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  -- No attempt of what goes on was begun before.
  first timestamptz := (SELECT min(c.created_at) - interval '1 day' FROM changed c WHERE c.status IN ('pending', 'retrying'));
BEGIN
  DELETE FROM webhook_queue q USING changed c WHERE q.delivery_id = c.delivery_id AND c.status NOT IN ('pending', 'retrying');
  IF first IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE webhook_queue q
     SET rank = CASE WHEN c.status = 'pending' OR q.rank = 3 THEN q.rank WHEN c.attempt_count >= 3 AND c.due_at > q.due_at
                     AND (SELECT count(a.duration_ms) FROM webhook_attempts a WHERE a.delivery_id = c.delivery_id AND a.started_at >= first) >= 3 THEN 3 ELSE 4 END,
         due_at = c.due_at, leased_until = NULL
    FROM changed c WHERE q.delivery_id = c.delivery_id AND c.status IN ('pending', 'retrying');
  RETURN NULL;
END $$;
