-- Events by the day of their writing, deliveries by that of their event (a replay and a test by that of their making), attempts by that of their start;
-- of each day the price moves apart, because they go after 3 days and all others after 30 (D54 to D56). A day goes as a whole: no row is deleted.
-- Parts are in the schema `event_days`, and nothing names them but the functions that make, drop and tidy them:
--   events
--     events_before         what was written before this file, to the end of that day: its rows are deleted after their time, then it goes as a whole
--     events_20261128       PARTITION BY LIST (kind): …_moves has 'odds.change', …_default all other kinds and, once …_moves has gone, late moves
--     events_default        every other time, so that nothing is ever refused: its rows move into their day when that is made
-- Unique is each part by itself, so D54's key (event, webhook) carries the day and whether it is a price move: a first delivery has the time of its
-- event, so a fan-out that is repeated meets the rows of the first.
CREATE SCHEMA event_days;

-- Beside those who write.
ALTER TABLE events VALIDATE CONSTRAINT before_days;
ALTER TABLE webhook_deliveries VALIDATE CONSTRAINT before_days;
ALTER TABLE webhook_attempts VALIDATE CONSTRAINT before_days;

-- From here to the end of the file, which takes no longer on big tables, nobody writes.
DO $$
BEGIN
  SET LOCAL lock_timeout = '500ms';
  FOR try IN 1..100 LOOP
    BEGIN
      LOCK TABLE events, webhook_deliveries, webhook_attempts IN ACCESS EXCLUSIVE MODE;
      EXIT;
    EXCEPTION WHEN lock_not_available THEN
      IF try = 100 THEN RAISE; END IF;
    END;
  END LOOP;
END $$;

DROP TRIGGER event_placed ON events;
DROP TRIGGER deliveries_made ON webhook_deliveries;
DROP TRIGGER deliveries_changed ON webhook_deliveries;

DO $$
DECLARE
  of record;
  next bigint := coalesce((SELECT pg_sequence_last_value(pg_get_serial_sequence('events', 'written')::regclass)), 0) + 1;
BEGIN
  ALTER TABLE events ALTER COLUMN written DROP IDENTITY;
  FOR of IN SELECT * FROM (VALUES ('events', 'written_at'), ('webhook_deliveries', 'created_at'), ('webhook_attempts', 'started_at')) t (name, at) LOOP
    EXECUTE format('ALTER TABLE %I RENAME TO %I', of.name, of.name || '_before');
    EXECUTE format('ALTER TABLE %I SET SCHEMA event_days', of.name || '_before');
    EXECUTE format('CREATE TABLE %I (LIKE event_days.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (%I)', of.name, of.name || '_before', of.at);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT before_days', of.name);
  END LOOP;
  EXECUTE format('ALTER TABLE events ALTER COLUMN written ADD GENERATED ALWAYS AS IDENTITY (START WITH %s)', next);
END $$;

CREATE INDEX events_new ON events (written) WHERE fanned_at IS NULL;
CREATE INDEX events_by_age ON events ((kind = 'odds.change'), written_at);
CREATE INDEX events_in_place ON events (position) WHERE position IS NOT NULL;
CREATE INDEX events_by_fan_out ON events (fanned_at) WHERE position IS NOT NULL;
CREATE INDEX webhook_deliveries_of_webhook ON webhook_deliveries (webhook_id, created_at DESC, delivery_id);
CREATE INDEX webhook_deliveries_replayable ON webhook_deliveries (webhook_id, created_at)
  WHERE replay_of IS NULL AND NOT test AND kind <> 'odds.change';

-- As `keep_event_days` makes its parts.
DO $$
DECLARE
  of record;
  cut text;
BEGIN
  FOR of IN SELECT * FROM (VALUES ('events', 'written_at'), ('webhook_deliveries', 'created_at'), ('webhook_attempts', 'started_at')) t (name, at) LOOP
    SELECT substring(pg_get_constraintdef(oid) FROM '''(.*)''') INTO STRICT cut FROM pg_constraint
     WHERE conrelid = format('event_days.%I', of.name || '_before')::regclass AND conname = 'before_days';
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION event_days.%I FOR VALUES FROM (MINVALUE) TO (%L)', of.name, of.name || '_before', cut);
    EXECUTE format('ALTER TABLE event_days.%I DROP CONSTRAINT before_days', of.name || '_before');
    EXECUTE format('CREATE TABLE event_days.%I PARTITION OF %I DEFAULT', of.name || '_default', of.name);
  END LOOP;
END $$;
ALTER TABLE event_days.events_default ADD PRIMARY KEY (event_id);
ALTER TABLE event_days.webhook_deliveries_default ADD PRIMARY KEY (delivery_id);
CREATE UNIQUE INDEX ON event_days.webhook_deliveries_default (event_id, webhook_id) WHERE replay_of IS NULL;
CREATE INDEX ON event_days.webhook_deliveries_default (created_at);
ALTER TABLE event_days.webhook_attempts_default ADD PRIMARY KEY (delivery_id, attempt);
CREATE INDEX ON event_days.webhook_attempts_default (started_at);

CREATE TRIGGER event_placed BEFORE INSERT OR UPDATE ON events FOR EACH ROW
  WHEN (NEW.fanned_at IS NOT NULL AND NEW.position IS NULL AND NEW.kind <> 'odds.change') EXECUTE FUNCTION place_event();
CREATE TRIGGER deliveries_made AFTER INSERT ON webhook_deliveries REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION queue_deliveries();
CREATE TRIGGER deliveries_changed AFTER UPDATE ON webhook_deliveries REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION dequeue_deliveries();
-- Of a process of the release before, which does not say when the event was written.
CREATE FUNCTION date_delivery() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER delivery_dated BEFORE INSERT ON webhook_deliveries FOR EACH ROW
  WHEN (NEW.event_at IS NULL AND NOT NEW.test) EXECUTE FUNCTION date_delivery();

-- Processes that run meanwhile keep their rights: `rights.sql` comes later.
DO $$
DECLARE
  of record;
BEGIN
  FOR of IN
    SELECT left(c.relname, -7) AS name, a.privilege_type AS privilege, a.grantee::regrole AS role
      FROM pg_class c, aclexplode(c.relacl) a
     WHERE c.relnamespace = 'event_days'::regnamespace AND c.relkind = 'r' AND right(c.relname, 7) = '_before' AND a.grantee <> c.relowner AND a.grantee <> 0
  LOOP
    EXECUTE format('GRANT %s ON %I TO %s', of.privilege, of.name, of.role);
  END LOOP;
END $$;
