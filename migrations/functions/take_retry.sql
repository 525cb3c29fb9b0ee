-- Leases one delivery that is due again, with its next attempt, for the workflow that retries it from the fourth attempt on (D65). `outcome`: `taken`;
-- `wait` until `wait_until`; otherwise the status in which it ended. Where the endpoint has no room the wait is the longer the more are due there, so
-- that all of them together look every few seconds; `p_turn` in [0, 1) spreads them, and the queue keeps it for the sweep. What lanes still attempt
-- waits for them. Claims and retries take turns, so that four are the most in flight; an endpoint that fails or lags has one such attempt at a
-- time, beside one of lanes. Leases are by the database's clock. `ahead` is read by the release before.
CREATE OR REPLACE FUNCTION take_retry(p_delivery text, p_plans text[], p_now timestamptz, p_lease interval, p_turn double precision DEFAULT random()) RETURNS TABLE (
  outcome text, wait_until timestamptz, delivery_id text, webhook_id text, event_id text, kind text, race_id uuid, test boolean, replay boolean,
  attempt integer, cut_off integer, created_at timestamptz, body text, url text, secret text, previous_secret text, gone_before boolean, ahead integer
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  one webhook_queue;
  ended text;
  hook webhooks;
  closed text;
  moment timestamptz;
  is_full boolean;
  due integer;
BEGIN
  PERFORM pg_advisory_xact_lock(7205231122);
  moment := clock_timestamp();
  -- All others wait for this lock, so this waits for no row.
  SELECT * INTO one FROM webhook_queue q WHERE q.delivery_id = p_delivery FOR UPDATE SKIP LOCKED;
  IF NOT FOUND AND EXISTS (SELECT FROM webhook_queue q WHERE q.delivery_id = p_delivery) THEN
    outcome := 'wait';
    wait_until := p_now + interval '5 seconds';
    RETURN NEXT;
    RETURN;
  END IF;
  IF one.rank = 4 THEN
    outcome := 'wait';
    wait_until := greatest(one.due_at, p_now) + interval '1 minute';
    RETURN NEXT;
    RETURN;
  END IF;
  IF one.rank IS DISTINCT FROM 3 THEN
    SELECT d.status INTO ended FROM webhook_deliveries d WHERE d.delivery_id = p_delivery;
    outcome := coalesce(ended, 'cancelled');
    RETURN NEXT;
    RETURN;
  END IF;
  SELECT * INTO hook FROM webhooks w WHERE w.webhook_id = one.webhook_id;
  closed := webhook_closed(hook, (SELECT a.plan FROM accounts a WHERE a.account_id = hook.account_id), p_plans);
  IF closed IS NOT NULL THEN
    UPDATE webhook_deliveries d SET status = 'cancelled', settled_at = p_now, error = closed WHERE d.delivery_id = p_delivery AND d.created_at = one.created_at;
    outcome := 'cancelled';
    RETURN NEXT;
    RETURN;
  END IF;
  wait_until := nullif(greatest(one.due_at, p_now + (one.leased_until - moment), hook.slow_until, p_now), p_now);
  SELECT least(4, count(l.worker)) + count(*) - count(l.worker) >= 4
         OR (hook.failure_count > 0 OR hook.lagging) AND count(*) FILTER (WHERE l.worker IS NULL AND l.attempt > 1 AND q.rank IS DISTINCT FROM 4) > 0 INTO is_full
    FROM webhook_leases l LEFT JOIN webhook_queue q USING (delivery_id) WHERE l.webhook_id = one.webhook_id AND l.leased_until > moment;
  IF wait_until IS NOT NULL OR is_full THEN
    outcome := 'wait';
    IF wait_until IS NULL THEN
      SELECT count(*) INTO due FROM (
        SELECT FROM webhook_queue q WHERE q.webhook_id = one.webhook_id AND q.rank = 3 AND q.due_at <= p_now LIMIT 100) waiting;
      wait_until := p_now + interval '5 seconds' + p_turn * greatest(interval '25 seconds', due * interval '10 seconds');
    END IF;
    UPDATE webhook_queue q SET looks_at = wait_until WHERE q.delivery_id = p_delivery AND q.due_at < wait_until;
    RETURN NEXT;
    RETURN;
  END IF;
  UPDATE webhook_queue q SET leased_until = moment + p_lease, attempt_count = q.attempt_count + 1 WHERE q.delivery_id = p_delivery
    RETURNING q.* INTO one;
  INSERT INTO webhook_attempts (delivery_id, attempt, started_at, webhook_id, url_changes, kind)
  VALUES (p_delivery, one.attempt_count, p_now, one.webhook_id, hook.url_changes, one.kind);
  INSERT INTO webhook_leases (delivery_id, attempt, webhook_id, leased_until) VALUES (p_delivery, one.attempt_count, one.webhook_id, one.leased_until);
  RETURN QUERY
  SELECT 'taken', NULL::timestamptz, one.delivery_id, one.webhook_id, one.event_id, one.kind, one.race_id, false, d.replay_of IS NOT NULL,
         one.attempt_count::integer,
         (SELECT count(*)::integer FROM webhook_attempts b
           WHERE b.delivery_id = p_delivery AND b.started_at >= one.created_at - interval '1 day' AND b.attempt < one.attempt_count AND b.duration_ms IS NULL), one.created_at,
         (SELECT v.body FROM events v WHERE v.event_id = one.event_id
             AND v.written_at >= coalesce(one.event_at, '-infinity') AND v.written_at <= coalesce(one.event_at, 'infinity')), hook.url, hook.secret,
         CASE WHEN hook.previous_until > p_now THEN hook.previous_secret END,
         EXISTS (SELECT FROM webhook_attempts b WHERE b.delivery_id = p_delivery AND b.started_at >= one.created_at - interval '1 day' AND b.attempt < one.attempt_count AND b.status_code = 410
                  AND b.url_changes = hook.url_changes), 0
    FROM webhook_deliveries d WHERE d.delivery_id = p_delivery AND d.created_at = one.created_at;
END $$;
