-- Trigger on webhooks: when each was disabled and enabled again, for as long as its events can be replayed. The fan-out makes no deliveries in
-- between: a replay finds in `events` what was missed.
CREATE OR REPLACE FUNCTION keep_disabling() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.disabled_at IS NULL THEN
    UPDATE webhook_disablings SET enabled_at = coalesce(NEW.enabled_at, clock_timestamp()) WHERE webhook_id = NEW.webhook_id AND enabled_at IS NULL;
    RETURN NULL;
  END IF;
  DELETE FROM webhook_disablings WHERE webhook_id = NEW.webhook_id AND enabled_at < NEW.disabled_at - interval '31 days';
  INSERT INTO webhook_disablings (webhook_id, disabled_at) VALUES (NEW.webhook_id, NEW.disabled_at)
  ON CONFLICT (webhook_id, disabled_at) DO UPDATE SET enabled_at = NULL;
  RETURN NULL;
END $$;
