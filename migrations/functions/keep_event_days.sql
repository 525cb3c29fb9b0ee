-- Makes one part that is missing: a day of events, deliveries or attempts, of the day of `p_now` and `p_ahead` days after it, with the
-- rows of it that are there already. Returns its name; null: none is missing, or another process is at it. It locks the part for every other time, for
-- as long as reading it takes, and nothing for longer than 200 ms to get that lock: then it fails, and is called again. Runs as its owner, because only
-- the owner of a table may give it a part. A day of which more than `p_most` rows are elsewhere stays there: its rows are deleted one by one.
CREATE OR REPLACE FUNCTION keep_event_days(p_now timestamptz, p_ahead integer, p_most integer DEFAULT 100000) RETURNS text LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp SET timezone = 'UTC' SET lock_timeout = '200ms' AS $$
DECLARE
  parts record;
  day date;
  name text;
  part text;
  covered timestamptz;
  strays bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(7205231123) THEN
    RETURN NULL;
  END IF;
  FOR parts IN
    SELECT * FROM (VALUES ('events', 'written_at'), ('webhook_deliveries', 'created_at'), ('webhook_attempts', 'started_at')) t (of, at)
  LOOP
    SELECT substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''(.*)''\)') INTO covered
      FROM pg_class c WHERE c.oid = to_regclass(format('event_days.%I', parts.of || '_before'));
    FOR day IN SELECT (p_now::date + n) FROM generate_series(0, p_ahead) n LOOP
      name := parts.of || to_char(day, '_YYYYMMDD');
      CONTINUE WHEN to_regclass(format('event_days.%I', name)) IS NOT NULL OR day < covered;
      EXECUTE format('SELECT count(*) FROM (SELECT FROM event_days.%I WHERE %I >= $1 AND %2$I < $2 LIMIT $3 + 1) s', parts.of || '_default', parts.at)
        INTO strays USING day::timestamptz, (day + 1)::timestamptz, p_most;
      CONTINUE WHEN strays > p_most;
      EXECUTE format('CREATE TABLE event_days.%I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY LIST (kind)', name, parts.of);
      FOREACH part IN ARRAY '{moves,default}'::text[] LOOP
        EXECUTE format('CREATE TABLE event_days.%I PARTITION OF event_days.%I ', name || '_' || part, name)
          || CASE part WHEN 'moves' THEN 'FOR VALUES IN (''odds.change'')' ELSE 'DEFAULT' END
          || CASE WHEN parts.of = 'webhook_deliveries'
                  -- The room is for the end.
                  THEN ' WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05)' ELSE '' END;
        EXECUTE format('ALTER TABLE event_days.%I ADD PRIMARY KEY ', name || '_' || part)
          || CASE parts.of WHEN 'events' THEN '(event_id)' WHEN 'webhook_deliveries' THEN '(delivery_id)' ELSE '(delivery_id, attempt)' END;
        IF parts.of = 'webhook_deliveries' THEN
          EXECUTE format('CREATE UNIQUE INDEX ON event_days.%I (event_id, webhook_id) WHERE replay_of IS NULL', name || '_' || part);
        END IF;
      END LOOP;
      EXECUTE format('LOCK TABLE event_days.%I IN ACCESS EXCLUSIVE MODE', parts.of || '_default');
      EXECUTE format('WITH moved AS (DELETE FROM event_days.%I WHERE %I >= $1 AND %2$I < $2 RETURNING *) INSERT INTO event_days.%I SELECT * FROM moved',
                     parts.of || '_default', parts.at, name) USING day::timestamptz, (day + 1)::timestamptz;
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION event_days.%I FOR VALUES FROM (%L) TO (%L)',
                     parts.of, name, day::timestamptz, (day + 1)::timestamptz);
      RETURN name;
    END LOOP;
  END LOOP;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION keep_event_days(timestamptz, integer, integer) FROM PUBLIC;
