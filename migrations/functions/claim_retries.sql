-- Leases second and third attempts that are due (D65), of the endpoints after `p_after` in the order of their ids, the oldest first: of one that fails or
-- lags one at a time, beside one of workflows, of another as many as it has places. Looks at `p_endpoints` and takes `p_most` deliveries, both at most. What an endpoint
-- owes is closed with it. Of failing and lagging endpoints `p_failing` at most, by another order each time, so that none is left out for long. Takes turns with claims and with the retries of workflows. The columns are those of a claim; there may be no row.
DROP FUNCTION IF EXISTS claim_retries(text, integer, integer, text[], timestamptz, interval);
CREATE OR REPLACE FUNCTION claim_retries(
  p_after text, p_endpoints integer, p_most integer, p_failing integer, p_plans text[], p_now timestamptz, p_lease interval
) RETURNS TABLE (
  last_endpoint text, delivery_id text, webhook_id text, event_id text, kind text, race_id uuid, test boolean, replay boolean,
  attempt integer, cut_off integer, created_at timestamptz, body text, url text, secret text, previous_secret text, gone_before boolean, failing boolean
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  ends text[];
  moment timestamptz;
BEGIN
  IF NOT EXISTS (SELECT FROM webhook_queue q WHERE q.rank = 4 AND q.due_at <= p_now) THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(7205231122);
  moment := clock_timestamp();
  WITH RECURSIVE waiting AS (
    (SELECT q.webhook_id FROM webhook_queue q WHERE q.rank = 4 AND q.webhook_id > p_after ORDER BY q.webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT q.webhook_id FROM webhook_queue q WHERE q.rank = 4 AND q.webhook_id > before.webhook_id ORDER BY q.webhook_id LIMIT 1)
      FROM waiting before WHERE before.webhook_id IS NOT NULL
  )
  SELECT coalesce(array_agg(w.webhook_id), '{}') INTO ends
    FROM (SELECT waiting.webhook_id FROM waiting WHERE waiting.webhook_id IS NOT NULL LIMIT p_endpoints) w;

  UPDATE webhook_deliveries d
     SET status = 'cancelled', settled_at = p_now,
         error = (SELECT webhook_closed(w, a.plan, p_plans) FROM webhooks w LEFT JOIN accounts a USING (account_id) WHERE w.webhook_id = d.webhook_id)
    FROM (
     SELECT o.delivery_id, o.created_at
       FROM unnest(ends) e(webhook_id) LEFT JOIN webhooks w USING (webhook_id) LEFT JOIN accounts a USING (account_id)
            JOIN webhook_queue o ON o.webhook_id = e.webhook_id AND o.rank = 4 AND o.due_at <= p_now AND o.leased_until IS NULL
      WHERE webhook_closed(w, a.plan, p_plans) IS NOT NULL
        FOR UPDATE OF o SKIP LOCKED) o
   WHERE d.delivery_id = o.delivery_id AND d.created_at = o.created_at;

  RETURN QUERY
  WITH rooms AS MATERIALIZED (
    SELECT w.webhook_id, w.failure_count > 0 OR w.lagging AS failing,
           CASE WHEN w.slow_until > p_now OR (w.failure_count > 0 OR w.lagging) AND busy.again > 0 THEN 0
                WHEN w.failure_count > 0 OR w.lagging THEN least(1, busy.free)
                ELSE busy.free END AS free
      FROM unnest(ends) e(webhook_id) JOIN webhooks w USING (webhook_id) LEFT JOIN accounts a USING (account_id)
           CROSS JOIN LATERAL (
             SELECT (4 - least(4, count(l.worker)) - count(*) + count(l.worker))::integer AS free,
                    count(*) FILTER (WHERE l.worker IS NULL AND l.attempt > 1 AND q.rank IS DISTINCT FROM 3) AS again
               FROM webhook_leases l LEFT JOIN webhook_queue q USING (delivery_id) WHERE l.webhook_id = w.webhook_id AND l.leased_until > moment) busy
     WHERE webhook_closed(w, a.plan, p_plans) IS NULL
  ), chosen AS (
    SELECT o.delivery_id, o.place, o.failing
      FROM (
        SELECT one.delivery_id, r.webhook_id AS place, r.failing,
               row_number() OVER (PARTITION BY r.failing ORDER BY hashtextextended(r.webhook_id, (extract(epoch FROM p_now) * 1000)::bigint)) AS n
          FROM (SELECT * FROM rooms WHERE rooms.free > 0 ORDER BY rooms.webhook_id) r
               CROSS JOIN LATERAL (
                 SELECT q.delivery_id FROM webhook_queue q
                  WHERE q.webhook_id = r.webhook_id AND q.rank = 4 AND q.leased_until IS NULL AND q.due_at <= p_now
                  ORDER BY q.due_at LIMIT r.free) one) o
     WHERE NOT o.failing OR o.n <= p_failing ORDER BY o.place LIMIT p_most
  ), locked AS (
    SELECT q.delivery_id, c.failing FROM webhook_queue q JOIN chosen c USING (delivery_id) WHERE q.leased_until IS NULL FOR UPDATE OF q SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_queue q SET leased_until = moment + p_lease, attempt_count = q.attempt_count + 1
      FROM locked l WHERE q.delivery_id = l.delivery_id
    RETURNING q.*, l.failing
  ), attempted AS (
    INSERT INTO webhook_attempts (delivery_id, attempt, started_at, webhook_id, url_changes, kind)
    SELECT c.delivery_id, c.attempt_count, p_now, c.webhook_id, w.url_changes, c.kind FROM claimed c JOIN webhooks w USING (webhook_id)
  ), leased AS (
    INSERT INTO webhook_leases (delivery_id, attempt, webhook_id, leased_until) SELECT c.delivery_id, c.attempt_count, c.webhook_id, c.leased_until FROM claimed c
  )
  SELECT CASE WHEN (SELECT count(*) FROM chosen) = p_most THEN (SELECT max(chosen.place) FROM chosen)
              WHEN cardinality(ends) = p_endpoints THEN ends[p_endpoints] END,
         c.delivery_id, c.webhook_id, c.event_id, c.kind, c.race_id, false, false, c.attempt_count::integer,
         (SELECT count(*)::integer FROM webhook_attempts b
           WHERE b.delivery_id = c.delivery_id AND b.started_at >= c.created_at - interval '1 day' AND b.attempt < c.attempt_count AND b.duration_ms IS NULL), c.created_at,
         (SELECT v.body FROM events v WHERE v.event_id = c.event_id
             AND v.written_at >= coalesce(c.event_at, '-infinity') AND v.written_at <= coalesce(c.event_at, 'infinity')), w.url, w.secret, CASE WHEN w.previous_until > p_now THEN w.previous_secret END,
         EXISTS (SELECT FROM webhook_attempts b WHERE b.delivery_id = c.delivery_id AND b.started_at >= c.created_at - interval '1 day' AND b.attempt < c.attempt_count AND b.status_code = 410
                  AND b.url_changes = w.url_changes), c.failing
    FROM (SELECT 1) one LEFT JOIN claimed c ON true LEFT JOIN webhooks w ON w.webhook_id = c.webhook_id;
END $$;
