-- What the events of webhooks follow from (D31, D56, D59). They are written by the functions below, in the transaction of the fact.

ALTER TABLE race_names
  -- The name was listed as running, and no scratching of it was announced since. Also true of every name whose state is 'running'.
  ADD COLUMN listed boolean NOT NULL DEFAULT false;

-- `race.odds_open` was announced. What decides is `event_keys`; this spares a poll the look at it.
ALTER TABLE races ADD COLUMN odds_open boolean NOT NULL DEFAULT false;

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

-- One row, which one process at a time locks: how far the board was compared. Every write with an earlier mark (migration 0010) was seen.
CREATE TABLE price_follower (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  settled timestamptz NOT NULL
);
INSERT INTO price_follower (settled) VALUES ('-infinity');

-- What happened before there were events is not announced.
WITH opened AS (
  UPDATE races r SET odds_open = true
   WHERE r.left_board_at IS NULL AND r.country IS NOT NULL
     AND EXISTS (SELECT FROM race_books b
                  WHERE b.race_id = r.race_id AND market_state_shown(b.bookmaker_key) AND array_remove(b.win, NULL) <> '{}')
  RETURNING r.race_id)
INSERT INTO event_keys (key, event_id) SELECT 'race.odds_open ' || race_id, '' FROM opened;
INSERT INTO event_keys (key, event_id)
SELECT 'race.market_closed ' || r.race_id, '' FROM races r
 WHERE r.left_board_at IS NULL AND r.country IS NOT NULL AND r.market_closed_at IS NOT NULL AND market_state_shown(r.market_state_source);
INSERT INTO announced_results (race_id, revision, status, placings_key, placings)
SELECT x.race_id, 1, x.status, x.placings_key,
       (SELECT COALESCE(jsonb_agg(jsonb_build_object('position', p->'position', 'number', p->'number', 'name', p->'name') ORDER BY place), '[]')
          FROM jsonb_array_elements(x.placings) WITH ORDINALITY AS e (p, place) WHERE (p->>'position')::integer <= 4)
  FROM race_results x WHERE x.status IN ('final', 'abandoned');

CREATE FUNCTION announce_race() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION announce_result() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION announce_backfill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;

CREATE TRIGGER race_announced AFTER UPDATE ON races FOR EACH ROW
  WHEN (NEW.market_status IS DISTINCT FROM OLD.market_status OR NEW.market_state_source IS DISTINCT FROM OLD.market_state_source
        OR NEW.shown_written_at IS DISTINCT FROM OLD.shown_written_at OR NEW.status <> OLD.status)
  EXECUTE FUNCTION announce_race();
CREATE TRIGGER result_announced AFTER INSERT ON race_results FOR EACH ROW
  WHEN (NEW.status IN ('final', 'abandoned')) EXECUTE FUNCTION announce_result();
CREATE TRIGGER changed_result_announced AFTER UPDATE ON race_results FOR EACH ROW
  WHEN (NEW.status IN ('final', 'abandoned') AND (NEW.status, NEW.placings_key) IS DISTINCT FROM (OLD.status, OLD.placings_key))
  EXECUTE FUNCTION announce_result();
CREATE TRIGGER backfill_announced AFTER UPDATE ON backfill_items REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION announce_backfill();
