-- Events, deliveries and attempts are to stand in days, so that a day goes as a whole (migration 0093). This file prepares it and locks for moments:
-- the tables as they are become the part before the first day, and a constraint, which the next file verifies while others write, refuses what is
-- written later than that part reaches: 12 hours from now at the earliest.
DO $$
DECLARE
  cut timestamptz := date_trunc('day', now() + interval '12 hours', 'UTC') + interval '1 day';
BEGIN
  -- Of a clock that was ahead. A trigger of deliveries is not there yet in a new database.
  UPDATE events SET written_at = now() WHERE written_at >= cut;
  UPDATE webhook_attempts SET started_at = now() WHERE started_at >= cut;
  IF EXISTS (SELECT FROM webhook_deliveries WHERE created_at >= cut) THEN
    UPDATE webhook_deliveries SET created_at = now() WHERE created_at >= cut;
    UPDATE webhook_queue SET created_at = now() WHERE created_at >= cut;
  END IF;

  -- All at once or none: writers lock them in several orders.
  SET LOCAL lock_timeout = '500ms';
  FOR try IN 1..100 LOOP
    BEGIN
      LOCK TABLE events, webhook_deliveries, webhook_attempts, webhook_queue IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF try = 100 THEN RAISE; END IF;
    END;
  END LOOP;
  EXECUTE format('ALTER TABLE events ADD CONSTRAINT before_days CHECK (written_at < %L) NOT VALID', cut);
  EXECUTE format('ALTER TABLE webhook_deliveries ADD CONSTRAINT before_days CHECK (created_at < %L) NOT VALID', cut);
  EXECUTE format('ALTER TABLE webhook_attempts ADD CONSTRAINT before_days CHECK (started_at < %L) NOT VALID', cut);
END $$;

-- When its event was written: which day of `events` has the body. Null: of a test, or made before this.
ALTER TABLE webhook_deliveries ADD COLUMN event_at timestamptz;
ALTER TABLE webhook_queue ADD COLUMN event_at timestamptz;
-- Of the delivery. Null: made before this.
ALTER TABLE webhook_attempts ADD COLUMN kind text;
