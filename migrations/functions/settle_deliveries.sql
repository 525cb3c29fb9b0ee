-- Writes how attempts of webhook deliveries ended, many at a time: the attempt, its delivery, and of its webhook what its attempts come to together,
-- whose arrays are in one order everywhere, because others wait for the same rows. Returns the deliveries whose end this was: an attempt that was
-- cut off and made again decides only if it delivered; a delivery that was cancelled meanwhile stays so unless it was delivered. The queue is locked
-- first, as by everything that ends deliveries. A webhook that delivers all the time is written once a second, and by no attempt at a URL that it
-- has no longer: one call has attempts at one URL of each. `p_quick` is of the release before, and not read.
CREATE OR REPLACE FUNCTION settle_deliveries(
  p_deliveries text[], p_attempts smallint[], p_ats timestamptz[], p_statuses text[], p_dues timestamptz[], p_codes smallint[], p_errors text[],
  p_durations integer[], p_webhooks text[], p_last timestamptz[], p_delivered boolean[], p_failures integer[], p_failed boolean[],
  p_slow timestamptz[], p_lagging boolean[], p_quick boolean[] DEFAULT NULL
) RETURNS SETOF text LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  -- Days in which the deliveries are, so that no other is opened. One that has left the queue may be in any.
  first timestamptz;
  last timestamptz;
  latest timestamptz := (SELECT max(at) + interval '1 day' FROM unnest(p_ats) at);
BEGIN
  SELECT min(q.created_at), max(q.created_at) INTO first, last FROM webhook_queue q WHERE q.delivery_id = ANY (p_deliveries)
  HAVING count(*) = (SELECT count(DISTINCT one) FROM unnest(p_deliveries) one);
  IF NOT FOUND THEN
    first := '-infinity';
    last := 'infinity';
  END IF;
  RETURN QUERY
  WITH given AS (
    SELECT * FROM unnest(p_deliveries, p_attempts, p_ats, p_statuses, p_dues, p_codes, p_errors, p_durations)
      g(delivery_id, attempt, at, status, due_at, status_code, error, duration_ms)
  ), queued AS MATERIALIZED (
    SELECT g.*, q.attempt_count, q.webhook_id, q.rank
      FROM (SELECT * FROM given ORDER BY delivery_id) g
           LEFT JOIN LATERAL (SELECT attempt_count, webhook_id, rank FROM webhook_queue WHERE delivery_id = g.delivery_id FOR UPDATE) q ON true
  ), attempts AS (
    UPDATE webhook_attempts a SET duration_ms = g.duration_ms, status_code = g.status_code, error = g.error
      FROM queued g WHERE a.delivery_id = g.delivery_id AND a.attempt = g.attempt
       AND a.started_at >= first - interval '1 day' AND a.started_at <= latest
    RETURNING a.webhook_id, a.url_changes
  ), leases AS (
    DELETE FROM webhook_leases l USING queued g WHERE l.delivery_id = g.delivery_id AND l.attempt = g.attempt
  ), deliveries AS (
    UPDATE webhook_deliveries d SET status = g.status, status_code = g.status_code, error = g.error, due_at = coalesce(g.due_at, d.due_at),
           attempt_count = greatest(d.attempt_count, g.attempt, g.attempt_count), delivered_at = CASE WHEN g.status = 'delivered' THEN g.at END,
           settled_at = CASE WHEN g.status NOT IN ('pending', 'retrying') THEN g.at END
      FROM queued g
     WHERE d.delivery_id = g.delivery_id AND d.created_at >= first AND d.created_at <= last
       AND CASE WHEN g.status = 'delivered' THEN d.status IN ('pending', 'retrying', 'cancelled')
                ELSE d.status IN ('pending', 'retrying') AND g.attempt_count = g.attempt END
    RETURNING d.delivery_id
  ), paces AS (
    SELECT g.webhook_id, avg(g.duration_ms) FILTER (WHERE g.status = 'delivered') AS ms, min(g.at) FILTER (WHERE g.status_code = 410) AS gone_at
      FROM queued g WHERE g.rank > 0 GROUP BY g.webhook_id
  ), hooks AS (
    SELECT h.*, p.ms, p.gone_at, (SELECT max(a.url_changes) FROM attempts a WHERE a.webhook_id = h.webhook_id) AS url_changes
      FROM unnest(p_webhooks, p_last, p_delivered, p_failures, p_failed, p_slow, p_lagging) h(webhook_id, at, delivered, failures, failed, slow_until, lagging)
           LEFT JOIN paces p USING (webhook_id)
  ), changed AS (
    SELECT h.* FROM webhooks w JOIN hooks h USING (webhook_id)
     WHERE (h.url_changes IS NULL OR h.url_changes = w.url_changes)
       AND (h.failed OR w.failure_count > 0 OR w.lagging <> h.lagging OR w.pace_ms IS NULL OR h.ms > 2 * greatest(w.pace_ms, 10)
            OR w.last_delivery_at IS NULL OR w.last_delivery_at < h.at - interval '1 second')
     ORDER BY w.webhook_id FOR NO KEY UPDATE OF w
  ), updated AS (
    UPDATE webhooks w SET last_delivery_at = CASE WHEN h.delivered THEN h.at ELSE w.last_delivery_at END,
           failure_count = h.failures + CASE WHEN h.delivered THEN 0 ELSE w.failure_count END,
           slow_until = greatest(w.slow_until, h.slow_until), lagging = coalesce(h.lagging, w.lagging),
           pace_ms = coalesce(round(w.pace_ms + (h.ms - w.pace_ms) / 4), round(h.ms), w.pace_ms),
           gone_since = CASE WHEN NOT h.delivered THEN coalesce(w.gone_since, h.gone_at) END
      FROM changed h WHERE w.webhook_id = h.webhook_id
  ), hours AS (
    INSERT INTO webhook_failures (webhook_id, hour) SELECT webhook_id, date_trunc('hour', at) FROM changed WHERE failed ON CONFLICT DO NOTHING
  )
  SELECT delivery_id FROM deliveries;
END $$;
