-- Writes how attempts of webhook deliveries ended, many at a time: the attempt, its delivery, and of its webhook what its attempts come to together,
-- whose arrays are in one order everywhere, because others wait for the same rows. Returns the deliveries whose end this was: an attempt that was
-- cut off and made again decides only if it delivered; a delivery that was cancelled meanwhile stays so unless it was delivered. The queue is locked
-- first, as by everything that ends deliveries. A webhook that delivers all the time is written once a second.
CREATE OR REPLACE FUNCTION settle_deliveries(
  p_deliveries text[], p_attempts smallint[], p_ats timestamptz[], p_statuses text[], p_dues timestamptz[], p_codes smallint[], p_errors text[],
  p_durations integer[], p_webhooks text[], p_last timestamptz[], p_delivered boolean[], p_failures integer[], p_failed boolean[],
  p_slow timestamptz[], p_lagging boolean[], p_quick boolean[]
) RETURNS SETOF text LANGUAGE plpgsql SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY
  WITH given AS (
    SELECT * FROM unnest(p_deliveries, p_attempts, p_ats, p_statuses, p_dues, p_codes, p_errors, p_durations)
      g(delivery_id, attempt, at, status, due_at, status_code, error, duration_ms)
  ), queued AS MATERIALIZED (
    SELECT g.*, q.attempt_count
      FROM (SELECT * FROM given ORDER BY delivery_id) g
           LEFT JOIN LATERAL (SELECT attempt_count FROM webhook_queue WHERE delivery_id = g.delivery_id FOR UPDATE) q ON true
  ), attempts AS (
    UPDATE webhook_attempts a SET duration_ms = g.duration_ms, status_code = g.status_code, error = g.error, leased_until = NULL
      FROM given g WHERE a.delivery_id = g.delivery_id AND a.attempt = g.attempt
  ), deliveries AS (
    UPDATE webhook_deliveries d SET status = g.status, status_code = g.status_code, error = g.error, due_at = coalesce(g.due_at, d.due_at),
           attempt_count = greatest(d.attempt_count, g.attempt, g.attempt_count), delivered_at = CASE WHEN g.status = 'delivered' THEN g.at END,
           settled_at = CASE WHEN g.status NOT IN ('pending', 'retrying') THEN g.at END
      FROM queued g
     WHERE d.delivery_id = g.delivery_id
       AND CASE WHEN g.status = 'delivered' THEN d.status IN ('pending', 'retrying', 'cancelled')
                ELSE d.status IN ('pending', 'retrying') AND g.attempt_count = g.attempt END
    RETURNING d.delivery_id
  ), hooks AS (
    SELECT * FROM unnest(p_webhooks, p_last, p_delivered, p_failures, p_failed, p_slow, p_lagging, p_quick)
      h(webhook_id, at, delivered, failures, failed, slow_until, lagging, quick)
  ), changed AS (
    SELECT h.* FROM webhooks w JOIN hooks h USING (webhook_id)
     WHERE h.failed OR w.failure_count > 0 OR w.lagging <> h.lagging OR w.quick <> h.quick OR w.last_delivery_at IS NULL
        OR w.last_delivery_at < h.at - interval '1 second'
     ORDER BY w.webhook_id FOR NO KEY UPDATE OF w
  ), updated AS (
    UPDATE webhooks w SET last_delivery_at = CASE WHEN h.delivered THEN h.at ELSE w.last_delivery_at END,
           failure_count = h.failures + CASE WHEN h.delivered THEN 0 ELSE w.failure_count END,
           slow_until = greatest(w.slow_until, h.slow_until), lagging = coalesce(h.lagging, w.lagging), quick = h.quick
      FROM changed h WHERE w.webhook_id = h.webhook_id
  ), hours AS (
    INSERT INTO webhook_failures (webhook_id, hour) SELECT webhook_id, date_trunc('hour', at) FROM hooks WHERE failed ON CONFLICT DO NOTHING
  )
  SELECT delivery_id FROM deliveries;
END $$;
