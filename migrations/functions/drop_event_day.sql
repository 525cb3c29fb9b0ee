-- Drops one part that is over its time: the price moves of a day 3 days after its end, all of a day, and what was written before there
-- were days, 30 days after its end; a part of which the queue names a row stays. Returns its name; null: there is none, or another process is at it, or
-- a part could not be locked within 200 ms: the next call tries again, so no statement waits longer for it. The lock comes before the last look, so what is
-- named is never dropped. Runs as its owner, because only the owner of a table may drop a part of it.
CREATE OR REPLACE FUNCTION drop_event_day(p_now timestamptz) RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '200ms' AS $$
DECLARE
  part record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7205231123) THEN
    RETURN NULL;
  END IF;
  FOR part IN
    WITH tops AS (
      SELECT r.relname AS root, c.oid, c.relname AS name, lower(b.time) AS begins, upper(b.time) AS ends
        FROM pg_class r JOIN pg_inherits i ON i.inhparent = r.oid JOIN pg_class c ON c.oid = i.inhrelid
             CROSS JOIN LATERAL (
               SELECT regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((?:MINVALUE|''(.*)'')\) TO \(''(.*)''\)') AS bounds) x
             CROSS JOIN LATERAL (SELECT tstzrange(coalesce(bounds[1]::timestamptz, '-infinity'), bounds[2]::timestamptz) AS time) b
       WHERE r.oid IN ('events'::regclass, 'webhook_deliveries'::regclass, 'webhook_attempts'::regclass) AND bounds IS NOT NULL
    )
    SELECT root, oid, name, begins, ends, root AS parent, true AS is_top FROM tops WHERE ends <= p_now - interval '30 days'
    UNION ALL
    SELECT t.root, m.oid, m.relname, t.begins, t.ends, 'event_days.' || t.name, false
      FROM tops t JOIN pg_inherits i ON i.inhparent = t.oid JOIN pg_class m ON m.oid = i.inhrelid
     WHERE m.relname = t.name || '_moves' AND t.ends <= p_now - interval '3 days' AND t.ends > p_now - interval '30 days'
     ORDER BY ends, name
  LOOP
    CONTINUE WHEN event_day_named(part.root, part.oid, part.begins, part.ends);
    BEGIN
      -- Of the parent alone: what its other parts hold goes on.
      EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', part.parent);
      EXECUTE format('LOCK TABLE event_days.%I IN ACCESS EXCLUSIVE MODE', part.name);
      CONTINUE WHEN event_day_named(part.root, part.oid, part.begins, part.ends);
      EXECUTE format('DROP TABLE event_days.%I', part.name);
      RETURN part.name;
    EXCEPTION WHEN lock_not_available THEN
      -- The next one may be free.
    END;
  END LOOP;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION drop_event_day(timestamptz) FROM PUBLIC;
