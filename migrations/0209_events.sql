-- What webhooks and the event log are made of (B 4.14, B 6, D54 to D60). A fact writes one row of `events` in its own transaction: `write_poll` and
-- triggers do it.

-- Events stand by the day of their writing, deliveries by that of their event (a replay and a test by that of their making), attempts by that of their
-- start; of each day the price moves apart, because they go after 3 days and all others after 30 (D54 to D56). A day goes as a whole: no row is deleted.
-- Parts are in this schema, and nothing names them but the functions that make, drop and tidy them:
--   events
--     events_before         what is written before the first day: its rows are deleted after their time, then it goes as a whole
--     events_20261128       PARTITION BY LIST (kind): …_moves has 'odds.change', …_default all other kinds and, once …_moves has gone, late moves
--     events_default        every other time, so that nothing is ever refused: its rows move into their day when that is made
CREATE SCHEMA event_days;

CREATE TABLE events (
  event_id text NOT NULL DEFAULT 'evt_' || replace(gen_random_uuid()::text, '-', '') CHECK (event_id ~ '^evt_[0-9a-f]{32}$'),
  -- The order of writing. Later numbers may commit first: rows are claimed by state, never by a cursor.
  written bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  race_id uuid,
  category text,
  country text,
  -- Only this account's webhooks; null: everybody's.
  account_id uuid,
  -- Race time, of the fact.
  occurred_at timestamptz NOT NULL,
  -- The members of its payload, but for those that every event has.
  facts jsonb NOT NULL,
  -- Wall time, as everything below.
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- By the fan-out: deliveries exist, the body is what is sent and signed, and `sequence` counts the events of the race.
  fanned_at timestamptz,
  sequence integer,
  body text,
  -- The place of an event among those that customers read; a price move has none. The fan-out gives it, one transaction at a time: whoever sees a
  -- place sees every place before it (`src/store/webhooks/event-log.ts`).
  position bigint,
  CHECK ((fanned_at IS NULL) = (body IS NULL))
) PARTITION BY RANGE (written_at);
CREATE SEQUENCE event_positions;
-- Its indexes have the names of those of `events`.
CREATE TABLE event_days.events_before (
  LIKE events INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
  CONSTRAINT events_pkey PRIMARY KEY (event_id)
);
CREATE TABLE event_days.events_default PARTITION OF events (PRIMARY KEY (event_id)) DEFAULT;
CREATE INDEX events_new ON event_days.events_before (written) WHERE fanned_at IS NULL;
CREATE INDEX events_by_age ON event_days.events_before ((kind = 'odds.change'), written_at);
CREATE INDEX events_in_place ON event_days.events_before (position) WHERE position IS NOT NULL;
CREATE INDEX events_by_fan_out ON event_days.events_before (fanned_at) WHERE position IS NOT NULL;
-- The first day begins 12 hours from now at the earliest.
DO $$ BEGIN
  EXECUTE format('ALTER TABLE events ATTACH PARTITION event_days.events_before FOR VALUES FROM (MINVALUE) TO (%L)',
                 date_trunc('day', now() + interval '12 hours', 'UTC') + interval '1 day');
END $$;
CREATE INDEX events_new ON events (written) WHERE fanned_at IS NULL;
-- Price moves go after days, all others after weeks.
CREATE INDEX events_by_age ON events ((kind = 'odds.change'), written_at);
CREATE INDEX events_in_place ON events (position) WHERE position IS NOT NULL;
-- What a webhook missed is looked up by the time of the fan-out.
CREATE INDEX events_by_fan_out ON events (fanned_at) WHERE position IS NOT NULL;
-- For a fan-out that gives no place.
CREATE TRIGGER event_placed BEFORE INSERT OR UPDATE ON events FOR EACH ROW
  WHEN (NEW.fanned_at IS NOT NULL AND NEW.position IS NULL AND NEW.kind <> 'odds.change') EXECUTE FUNCTION place_event();

-- What is announced once, for ever (D59). Never pruned.
CREATE TABLE event_keys (
  key text PRIMARY KEY,
  event_id text NOT NULL
);

-- The last `sequence` of each race.
CREATE TABLE event_sequences (
  race_id uuid PRIMARY KEY,
  last integer NOT NULL
);

-- Events of a moved start and of a changed track (D65): what customers saw last of each race, written in the transaction of the fact. Only of
-- races of which something has moved, or that left the board while they were ahead.
CREATE TABLE announced_races (
  race_id uuid PRIMARY KEY,
  start_time timestamptz NOT NULL,
  -- Null: none was stated, or none is shown.
  track_condition text,
  -- How many of each were announced.
  starts integer NOT NULL DEFAULT 0,
  tracks integer NOT NULL DEFAULT 0
);

-- The outcome of each race that was announced last. Never pruned.
CREATE TABLE announced_results (
  race_id uuid PRIMARY KEY,
  revision integer NOT NULL,
  status text NOT NULL CHECK (status IN ('final', 'abandoned')),
  placings_key text NOT NULL,
  -- As the event has them.
  placings jsonb NOT NULL
);

-- The best win prices of each race that were announced last.
CREATE TABLE announced_prices (
  race_id uuid PRIMARY KEY,
  -- [{number, name, price}] of the runners that had one.
  runners jsonb NOT NULL,
  -- Race time. Null: nothing was announced yet.
  announced_at timestamptz,
  -- They have moved since, too soon for another event.
  due boolean NOT NULL
);
CREATE INDEX announced_prices_due ON announced_prices (race_id) WHERE due;

-- One row, which one process at a time locks: how far the board was compared. Every write with an earlier mark was seen.
CREATE TABLE price_follower (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  settled timestamptz NOT NULL
);
INSERT INTO price_follower (settled) VALUES ('-infinity');
