-- Leases deliveries that may be posted now, with their attempts: tests, then those of the endpoints after `p_after` in the order of their ids, of each its
-- first attempts before its replays (D54, D55). Looks at `p_endpoints` that have something pending and takes `p_most` deliveries, both at most, of
-- `p_failing` failing endpoints. One claim at a time, in one statement: what is in flight is counted exactly, and no client that stands still holds the
-- lock. Of an endpoint at most four are in flight: first attempts and replays (one while it fails or lags), but for one place as soon as a test or a
-- later attempt wants it. While nothing else does, `p_worker` leases some ahead (`leased_ahead`) if no other worker leases any, and posts four at once;
-- where another has leased as many in the last two seconds it leaves the endpoint to that one, or neither could lease ahead.
-- Leases are by the database's clock. Every row has the last endpoint that was looked at, null when there are no more; the body of an event comes
-- with one of its deliveries. `gone_before`: a 410 disables the webhook (D65); one of a URL before does not count.
-- A generic plan: with many days of events planning takes longer than the claim itself.
CREATE OR REPLACE FUNCTION claim_deliveries(
  p_worker text, p_after text, p_endpoints integer, p_most integer, p_failing integer, p_plans text[], p_now timestamptz, p_lease interval
) RETURNS TABLE (
  last_endpoint text, delivery_id text, webhook_id text, event_id text, kind text, race_id uuid, test boolean, replay boolean,
  attempt integer, cut_off integer, created_at timestamptz, body text, url text, secret text, previous_secret text, gone_before boolean, failing boolean
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  ends text[];
  shut text[];
  moment timestamptz;
  took webhook_queue[];
  of_failing text[];
  last text;
  -- Days in which the events and the deliveries of what was taken are, so that no other is opened.
  event_first timestamptz;
  event_last timestamptz;
  made_first timestamptz;
  made_last timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(7205231122);
  moment := clock_timestamp();
  WITH RECURSIVE waiting AS (
    (SELECT q.webhook_id FROM webhook_queue q
      WHERE q.rank < 3 AND q.webhook_id > p_after ORDER BY q.webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT q.webhook_id FROM webhook_queue q
             WHERE q.rank < 3 AND q.webhook_id > before.webhook_id ORDER BY q.webhook_id LIMIT 1)
      FROM waiting before WHERE before.webhook_id IS NOT NULL
  )
  SELECT coalesce(array_agg(w.webhook_id), '{}') INTO ends
    FROM (SELECT waiting.webhook_id FROM waiting WHERE waiting.webhook_id IS NOT NULL LIMIT p_endpoints) w;

  -- Of an endpoint that is closed everything pending ends; a test only where there is no webhook any more.
  SELECT coalesce(array_agg(e.webhook_id), '{}') INTO shut
    FROM unnest(ends) e(webhook_id) LEFT JOIN webhooks w USING (webhook_id) LEFT JOIN accounts a USING (account_id)
   WHERE webhook_closed(w, a.plan, p_plans) IS NOT NULL;
  IF cardinality(shut) > 0 THEN
    UPDATE webhook_deliveries d
       SET status = 'cancelled', settled_at = p_now,
           error = (SELECT webhook_closed(w, a.plan, p_plans) FROM webhooks w LEFT JOIN accounts a USING (account_id) WHERE w.webhook_id = d.webhook_id)
      FROM (
       SELECT o.delivery_id, o.created_at FROM webhook_queue o
        WHERE o.webhook_id = ANY (shut) AND o.rank < 3 AND o.leased_until IS NULL
          AND (o.rank > 0 OR NOT EXISTS (SELECT FROM webhooks w WHERE w.webhook_id = o.webhook_id AND w.deleted_at IS NULL))
          FOR UPDATE SKIP LOCKED) o
     WHERE d.delivery_id = o.delivery_id AND d.created_at = o.created_at;
  END IF;

  WITH rooms AS MATERIALIZED (
    SELECT w.webhook_id, fails AS failing,
           CASE WHEN w.slow_until > p_now THEN 0
                WHEN fails THEN least(1, 4 - tests.n - busy.others) - busy.lanes
                WHEN busy.recent > busy.mine OR busy.recent > 0 AND busy.recent = busy.mine AND busy.first < p_worker THEN 0
                WHEN NOT busy.elsewhere AND busy.others + tests.n = 0 AND NOT again.due THEN leased_ahead(w.pace_ms) - busy.lanes
                ELSE least(CASE WHEN again.due OR tests.n > 0 THEN 3 ELSE 4 END, 4 - tests.n - busy.others) - busy.lanes END AS free
      FROM unnest(ends) e(webhook_id) JOIN webhooks w USING (webhook_id) LEFT JOIN accounts a USING (account_id)
           CROSS JOIN LATERAL (SELECT w.failure_count > 0 OR w.lagging AS fails) f
           CROSS JOIN LATERAL (
             SELECT count(l.worker)::integer AS lanes, (count(*) - count(l.worker))::integer AS others,
                    count(*) FILTER (WHERE l.worker <> p_worker) > 0 AS elsewhere, count(*) FILTER (WHERE l.worker = p_worker) AS mine,
                    count(*) FILTER (WHERE l.worker <> p_worker AND l.leased_until > moment + p_lease - interval '2 seconds') AS recent,
                    min(l.worker) FILTER (WHERE l.worker <> p_worker) AS first
               FROM webhook_leases l WHERE l.webhook_id = w.webhook_id AND l.leased_until > moment) busy
           CROSS JOIN LATERAL (
             SELECT count(*)::integer AS n FROM webhook_queue t WHERE t.webhook_id = w.webhook_id AND t.rank = 0 AND t.leased_until IS NULL) tests
           CROSS JOIN LATERAL (
             SELECT EXISTS (SELECT FROM webhook_queue r WHERE r.webhook_id = w.webhook_id AND r.rank = 3 AND r.due_at <= p_now AND r.leased_until IS NULL)
                 OR EXISTS (SELECT FROM webhook_queue r WHERE r.webhook_id = w.webhook_id AND r.rank = 4 AND r.due_at <= p_now AND r.leased_until IS NULL)
                 AS due) again
     -- It may have been closed since.
     WHERE webhook_closed(w, a.plan, p_plans) IS NULL
  ), endpoints AS MATERIALIZED (
    SELECT *, row_number() OVER (PARTITION BY failing ORDER BY webhook_id) AS n FROM rooms WHERE free > 0 ORDER BY webhook_id
  ), chosen AS (
    (SELECT t.delivery_id, NULL AS place, false AS failing
       FROM (SELECT q.delivery_id, q.webhook_id, row_number() OVER (PARTITION BY q.webhook_id ORDER BY q.due_at) AS n
               FROM webhook_queue q WHERE q.rank = 0 AND q.leased_until IS NULL) t JOIN webhooks w USING (webhook_id)
      WHERE w.deleted_at IS NULL
        AND t.n + (SELECT least(4, count(l.worker)) + count(*) - count(l.worker)
                     FROM webhook_leases l WHERE l.webhook_id = t.webhook_id AND l.leased_until > moment) <= 4)
    UNION ALL
    -- In the order of the endpoints, so that nothing is read of those that are too many.
    (SELECT one.delivery_id, e.webhook_id AS place, e.failing
      FROM endpoints e CROSS JOIN LATERAL (
        (SELECT q.delivery_id, 1 AS rank
           FROM webhook_queue q
          WHERE q.webhook_id = e.webhook_id AND q.rank = 1 AND q.leased_until IS NULL AND q.due_at <= p_now
            AND (q.kind <> 'odds.change' OR q.created_at > p_now - interval '60 seconds')
            AND CASE WHEN q.attempt_count = 0 THEN
                  -- Another first attempt for the race is still to come, or under way.
                  NOT EXISTS (
                    SELECT FROM webhook_queue b
                     WHERE b.race_id = q.race_id AND b.webhook_id = q.webhook_id AND b.rank = 1 AND b.sequence < q.sequence
                       AND (b.attempt_count = 0 OR b.leased_until IS NOT NULL))
                ELSE
                  -- A price that failed is not sent after a newer one.
                  q.kind <> 'odds.change' OR NOT EXISTS (
                    SELECT FROM webhook_deliveries n
                     WHERE n.webhook_id = q.webhook_id AND n.created_at >= q.created_at AND n.race_id = q.race_id AND n.kind = 'odds.change'
                       AND n.created_at > p_now - interval '60 seconds'
                       AND n.sequence > q.sequence)
                END
          ORDER BY q.due_at LIMIT e.free)
        UNION ALL
        (SELECT q.delivery_id, 2
           FROM webhook_queue q
          WHERE q.webhook_id = e.webhook_id AND q.rank = 2 AND q.leased_until IS NULL AND q.due_at <= p_now
          ORDER BY q.due_at LIMIT e.free)
        LIMIT e.free) one
     WHERE NOT e.failing OR e.n <= p_failing)
    LIMIT p_most
  ), locked AS (
    SELECT q.delivery_id, c.failing FROM webhook_queue q JOIN chosen c USING (delivery_id)
     WHERE q.leased_until IS NULL FOR UPDATE OF q SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_queue q SET leased_until = moment + p_lease, attempt_count = q.attempt_count + 1
      FROM locked l WHERE q.delivery_id = l.delivery_id
    RETURNING q.*, q AS one, l.failing
  ), attempted AS (
    INSERT INTO webhook_attempts (delivery_id, attempt, started_at, webhook_id, url_changes, kind)
    SELECT c.delivery_id, c.attempt_count, p_now, c.webhook_id, w.url_changes, c.kind FROM claimed c JOIN webhooks w USING (webhook_id)
  ), leased AS (
    INSERT INTO webhook_leases (delivery_id, attempt, webhook_id, leased_until, worker)
    SELECT c.delivery_id, c.attempt_count, c.webhook_id, c.leased_until, CASE WHEN c.rank > 0 THEN p_worker END FROM claimed c
  )
  SELECT CASE WHEN (SELECT count(*) FROM chosen) = p_most THEN (SELECT coalesce(max(chosen.place), p_after) FROM chosen)
              WHEN cardinality(ends) = p_endpoints THEN ends[p_endpoints] END,
         array_agg(c.one), array_agg(c.delivery_id) FILTER (WHERE c.failing), min(coalesce(c.event_at, '-infinity')), max(coalesce(c.event_at, 'infinity')),
         min(c.created_at), max(c.created_at)
    INTO last, took, of_failing, event_first, event_last, made_first, made_last
    FROM claimed c;

  RETURN QUERY
  SELECT last, c.delivery_id, c.webhook_id, c.event_id, c.kind, c.race_id, c.rank = 0, c.rank = 2,
         c.attempt_count::integer,
         CASE WHEN c.attempt_count = 1 THEN 0
              ELSE (SELECT count(*)::integer FROM webhook_attempts b
                     WHERE b.delivery_id = c.delivery_id AND b.started_at >= made_first - interval '1 day' AND b.attempt < c.attempt_count AND b.duration_ms IS NULL) END, c.created_at,
         CASE WHEN c.rank = 0 THEN (SELECT t.body FROM webhook_deliveries t WHERE t.delivery_id = c.delivery_id AND t.created_at >= made_first AND t.created_at <= made_last)
              WHEN row_number() OVER (PARTITION BY c.event_id) = 1 THEN v.body END,
         w.url, w.secret, CASE WHEN w.previous_until > p_now THEN w.previous_secret END,
         CASE WHEN c.kind = 'odds.change' THEN coalesce(w.gone_since <= p_now - interval '1 minute', false)
              ELSE c.attempt_count > 1 AND EXISTS (
                SELECT FROM webhook_attempts b WHERE b.delivery_id = c.delivery_id AND b.started_at >= made_first - interval '1 day' AND b.attempt < c.attempt_count AND b.status_code = 410
                   AND b.url_changes = w.url_changes) END,
         coalesce(c.delivery_id = ANY (of_failing), false)
    FROM (SELECT 1) one LEFT JOIN unnest(took) c ON true LEFT JOIN webhooks w ON w.webhook_id = c.webhook_id LEFT JOIN events v ON v.event_id = c.event_id
         AND v.written_at >= event_first AND v.written_at <= event_last;
END $$;
