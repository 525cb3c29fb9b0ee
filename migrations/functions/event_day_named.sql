-- Whether the queue names a row of a part of `p_of` with the times from `p_from` to before `p_to`: an event that is still to be posted,
-- a delivery that has not ended, or an attempt of one.
CREATE OR REPLACE FUNCTION event_day_named(p_of text, p_part regclass, p_from timestamptz, p_to timestamptz) RETURNS boolean LANGUAGE plpgsql
SET search_path = public, pg_temp AS $$
DECLARE
  is_named boolean;
BEGIN
  EXECUTE format('SELECT EXISTS (SELECT FROM webhook_queue q WHERE %s AND EXISTS (SELECT FROM %s p WHERE %s))',
    CASE p_of
      WHEN 'events' THEN 'coalesce(q.event_at >= $1 AND q.event_at < $2, true)'
      WHEN 'webhook_deliveries' THEN 'q.created_at >= $1 AND q.created_at < $2'
      ELSE 'q.attempt_count > 0'
    END,
    p_part, CASE p_of WHEN 'events' THEN 'p.event_id = q.event_id' ELSE 'p.delivery_id = q.delivery_id' END)
    INTO is_named USING p_from, p_to;
  RETURN is_named;
END $$;
