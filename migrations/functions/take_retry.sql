-- Leases one delivery that is due again, with its next attempt, for the workflow that retries it (D55). `outcome`: `taken`; `wait` until `wait_until`,
-- null while the endpoint has no room, with how many retries are due there, a hundred at most; otherwise the status in which it ended. Claims and
-- retries take turns, so that four are the most in flight; an endpoint that fails or lags has one retry at a time. Leases are by the
-- database's clock.
CREATE OR REPLACE FUNCTION take_retry(p_delivery text, p_plans text[], p_now timestamptz, p_lease interval) RETURNS TABLE (
  outcome text, wait_until timestamptz, delivery_id text, webhook_id text, event_id text, kind text, race_id uuid, test boolean, replay boolean,
  attempt integer, cut_off integer, created_at timestamptz, body text, url text, secret text, previous_secret text, ahead integer
) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  one webhook_queue;
  ended text;
  hook webhooks;
  closed text;
  moment timestamptz;
  is_full boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(7205231122);
  moment := clock_timestamp();
  -- All others wait for this lock, so this waits for no row.
  SELECT * INTO one FROM webhook_queue q WHERE q.delivery_id = p_delivery FOR UPDATE SKIP LOCKED;
  IF NOT FOUND AND EXISTS (SELECT FROM webhook_queue q WHERE q.delivery_id = p_delivery) THEN
    outcome := 'wait';
    ahead := 0;
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
    UPDATE webhook_deliveries d SET status = 'cancelled', settled_at = p_now, error = closed WHERE d.delivery_id = p_delivery;
    outcome := 'cancelled';
    RETURN NEXT;
    RETURN;
  END IF;
  wait_until := nullif(greatest(one.due_at, p_now + (one.leased_until - moment), hook.slow_until, p_now), p_now);
  SELECT least(3, count(a.worker)) + count(*) - count(a.worker) >= 4 OR (hook.failure_count > 0 OR hook.lagging) AND count(*) FILTER (WHERE a.attempt > 1) > 0 INTO is_full
    FROM webhook_attempts a WHERE a.webhook_id = one.webhook_id AND a.leased_until > moment;
  IF wait_until IS NOT NULL OR is_full THEN
    outcome := 'wait';
    IF wait_until IS NULL THEN
      SELECT count(*) INTO ahead FROM (
        SELECT FROM webhook_queue q WHERE q.webhook_id = one.webhook_id AND q.rank = 3 AND q.due_at <= p_now LIMIT 100) due;
    END IF;
    RETURN NEXT;
    RETURN;
  END IF;
  UPDATE webhook_queue q SET leased_until = moment + p_lease, attempt_count = q.attempt_count + 1 WHERE q.delivery_id = p_delivery
    RETURNING q.* INTO one;
  INSERT INTO webhook_attempts (delivery_id, attempt, started_at, webhook_id, leased_until)
  VALUES (p_delivery, one.attempt_count, p_now, one.webhook_id, one.leased_until);
  RETURN QUERY
  SELECT 'taken', NULL::timestamptz, one.delivery_id, one.webhook_id, one.event_id, one.kind, one.race_id, false, d.replay_of IS NOT NULL,
         one.attempt_count::integer,
         (SELECT count(*)::integer FROM webhook_attempts b
           WHERE b.delivery_id = p_delivery AND b.attempt < one.attempt_count AND b.duration_ms IS NULL), one.created_at, (SELECT v.body FROM events v WHERE v.event_id = one.event_id), hook.url, hook.secret,
         CASE WHEN hook.previous_until > p_now THEN hook.previous_secret END, 0
    FROM webhook_deliveries d WHERE d.delivery_id = p_delivery;
END $$;
