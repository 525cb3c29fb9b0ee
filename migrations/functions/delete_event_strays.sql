-- Deletes rows that are over their time and in no day: written before there were days, or of a day that was not made in time. In
-- normal running there are none. `p_most` of a kind at once. Returns their number. Runs as its owner, because it names the parts.
CREATE OR REPLACE FUNCTION delete_event_strays(p_now timestamptz, p_most integer) RETURNS integer LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  part text;
  condition text;
  n integer;
  deleted integer := 0;
BEGIN
  FOREACH part IN ARRAY '{before,default}'::text[] LOOP
    CONTINUE WHEN to_regclass('event_days.events_' || part) IS NULL;
    -- `IS FALSE`: a NOT would not use the index by kind.
    FOREACH condition IN ARRAY ARRAY['(kind = ''odds.change'') AND %I < $1 - interval ''3 days''', '(kind = ''odds.change'') IS FALSE AND %I < $1 - interval ''30 days'''] LOOP
      EXECUTE format('DELETE FROM event_days.%I WHERE event_id IN (
                        SELECT event_id FROM event_days.%1$I e
                         WHERE %s AND NOT EXISTS (SELECT FROM webhook_queue q WHERE q.event_id = e.event_id) LIMIT $2)',
                     'events_' || part, format(condition, 'written_at')) USING p_now, p_most;
      GET DIAGNOSTICS n = ROW_COUNT;
      deleted := deleted + n;
      EXECUTE format('WITH old AS (
                        SELECT delivery_id FROM event_days.%I WHERE settled_at IS NOT NULL AND %s LIMIT $2
                      ), attempts AS (
                        DELETE FROM event_days.%I WHERE delivery_id IN (SELECT delivery_id FROM old)
                      )
                      DELETE FROM event_days.%1$I WHERE delivery_id IN (SELECT delivery_id FROM old)',
                     'webhook_deliveries_' || part, format(condition, 'created_at'), 'webhook_attempts_' || part) USING p_now, p_most;
      GET DIAGNOSTICS n = ROW_COUNT;
      deleted := deleted + n;
    END LOOP;
  END LOOP;
  -- Of deliveries that have a day.
  DELETE FROM event_days.webhook_attempts_default WHERE (delivery_id, attempt) IN (
    SELECT delivery_id, attempt FROM event_days.webhook_attempts_default a
     WHERE started_at < p_now - CASE WHEN kind = 'odds.change' THEN interval '3 days' ELSE interval '30 days' END
       AND started_at < p_now - interval '3 days'
       AND NOT EXISTS (SELECT FROM webhook_queue q WHERE q.delivery_id = a.delivery_id) LIMIT p_most);
  GET DIAGNOSTICS n = ROW_COUNT;
  RETURN deleted + n;
END $$;
REVOKE ALL ON FUNCTION delete_event_strays(timestamptz, integer) FROM PUBLIC;
