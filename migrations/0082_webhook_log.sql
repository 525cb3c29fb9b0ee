-- More filters of webhooks, the order in which events are read, and when webhooks were disabled (D57, D65).

ALTER TABLE webhooks
  -- Only events that name one of these books. Empty: all.
  ADD COLUMN bookmakers text[] NOT NULL DEFAULT '{}',
  -- The least move of an `odds.change`, in percent of the price before. Null: any.
  ADD COLUMN min_move_pct double precision;

-- The place of an event among those that customers read; a price move has none. The fan-out gives it, one transaction at a time: whoever sees a
-- place sees every place before it (src/store/webhooks/event-log.ts).
ALTER TABLE events ADD COLUMN position bigint;
CREATE SEQUENCE event_positions;
UPDATE events e SET position = n.position
  FROM (SELECT o.event_id, nextval('event_positions') AS position
          FROM (SELECT event_id FROM events WHERE fanned_at IS NOT NULL AND (kind = 'odds.change') IS FALSE ORDER BY written) o) n
 WHERE n.event_id = e.event_id;
CREATE INDEX events_in_place ON events (position) WHERE position IS NOT NULL;
-- What a webhook missed is looked up by the time of the fan-out.
CREATE INDEX events_by_fan_out ON events (fanned_at) WHERE position IS NOT NULL;

-- Of a worker of the release before, which gives none.
CREATE FUNCTION place_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'place_event() is not installed yet'; END $$;
CREATE TRIGGER event_placed BEFORE INSERT OR UPDATE ON events FOR EACH ROW
  WHEN (NEW.fanned_at IS NOT NULL AND NEW.position IS NULL AND NEW.kind <> 'odds.change') EXECUTE FUNCTION place_event();

-- When each webhook was disabled. Null: it is now.
CREATE TABLE webhook_disablings (
  webhook_id text NOT NULL,
  disabled_at timestamptz NOT NULL,
  enabled_at timestamptz,
  PRIMARY KEY (webhook_id, disabled_at)
);
INSERT INTO webhook_disablings SELECT webhook_id, disabled_at FROM webhooks WHERE disabled_at IS NOT NULL AND deleted_at IS NULL;
CREATE FUNCTION keep_disabling() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'keep_disabling() is not installed yet'; END $$;
CREATE TRIGGER webhook_disabled AFTER UPDATE ON webhooks FOR EACH ROW
  WHEN (NEW.disabled_at IS DISTINCT FROM OLD.disabled_at) EXECUTE FUNCTION keep_disabling();
