-- Change-only captured prices, a chunk a day. Apache and community edition alike: retention is by drop_chunks.
CREATE TABLE price_ticks (
  captured_at timestamptz NOT NULL,
  race_id uuid NOT NULL,
  bookmaker_key text NOT NULL,
  runner_number smallint NOT NULL,
  runner_key text NOT NULL,
  secs_to_jump integer NOT NULL,
  win_price double precision NOT NULL,
  place_price double precision,
  top2_price double precision,
  top3_price double precision,
  top4_price double precision,
  -- The business key: the same poll written twice is one tick.
  PRIMARY KEY (race_id, bookmaker_key, runner_number, captured_at)
);

SELECT create_hypertable('price_ticks', by_range('captured_at', INTERVAL '1 day'), create_default_indexes => false);
