-- Prices of books and of the exchange, and what a poll writes.

-- What a book's reply comes to. `start_time`, `inplay` and `source_url` are null where the reply does not state them.
CREATE TYPE book_reply AS (
  market_status text,
  -- The book's market state is the race's (D20).
  sets_market boolean,
  inplay boolean,
  start_time timestamptz,
  source_url text,
  card_hash text,
  numbers smallint[],
  runner_keys text[],
  win double precision[],
  place double precision[],
  top2 double precision[],
  top3 double precision[],
  top4 double precision[],
  tote jsonb
);

-- What `write_poll` returns. `changed`: win prices that differ from the stored ones. `card_differs`: the book's card is still to be merged. Nothing
-- was written unless `verdict` is `written`.
CREATE TYPE poll_verdict AS (
  verdict text,
  changed integer,
  ticks integer,
  card_differs boolean,
  start_version integer,
  start_moved boolean,
  market_closed_at timestamptz
);

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
  -- Our instant of the book's poll before: until then the price before this one was on offer. Null: no earlier poll. The close of a price needs it
  -- (B 2.1): change-only ticks cannot show that a price was withdrawn before the jump and offered again after it.
  seen_before timestamptz,
  -- The business key: the same poll written twice is one tick.
  PRIMARY KEY (race_id, bookmaker_key, runner_number, captured_at)
);
SELECT create_hypertable('price_ticks', by_range('captured_at', INTERVAL '1 day'), create_default_indexes => false);

-- When a book stopped showing the last captured price of a runner without a new one being captured (withdrawn, closed, moved while nothing is
-- captured), and when it showed it again. Goes with the ticks.
CREATE TABLE price_breaks (
  at timestamptz NOT NULL,
  race_id uuid NOT NULL,
  bookmaker_key text NOT NULL,
  runner_number smallint NOT NULL,
  runner_key text NOT NULL,
  -- True: from `at` on it shows the price again. False: from `at` on it does not.
  shown boolean NOT NULL,
  -- Our instant of the poll before. If not `shown`, the last that saw the price.
  seen_before timestamptz,
  PRIMARY KEY (race_id, bookmaker_key, runner_number, at)
);
SELECT create_hypertable('price_breaks', by_range('at', INTERVAL '1 day'), create_default_indexes => false);

-- Ticks that the archive does not have, kept for ever when their day is dropped (D48): the races that they belong to are reported.
CREATE TABLE kept_ticks (
  LIKE price_ticks INCLUDING DEFAULTS,
  PRIMARY KEY (race_id, bookmaker_key, runner_number, captured_at)
);

CREATE TABLE kept_breaks (
  LIKE price_breaks INCLUDING DEFAULTS,
  PRIMARY KEY (race_id, bookmaker_key, runner_number, at)
);

-- What the exchange publishes, whole: withheld from customers everywhere (A 1). Written by polls and by the stream, in any order and
-- any number of times: a market's version tells which state is the later one.
CREATE TABLE exchange_markets (
  market_id text PRIMARY KEY,
  -- Null while the race that it is about is not known.
  race_id uuid REFERENCES races,
  market_type text NOT NULL,
  -- Only rises.
  version bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('INACTIVE', 'OPEN', 'SUSPENDED', 'CLOSED')),
  in_play boolean NOT NULL,
  bsp_reconciled boolean NOT NULL,
  number_of_winners smallint,
  active_runners smallint,
  total_matched double precision,
  market_time timestamptz,
  settled_at timestamptz,
  -- Our instant of the last reply about it.
  observed_at timestamptz NOT NULL
);
CREATE INDEX exchange_markets_by_race ON exchange_markets (race_id);

CREATE TABLE exchange_runners (
  market_id text NOT NULL REFERENCES exchange_markets,
  -- The same animal's in every market.
  selection_id bigint NOT NULL,
  number smallint,
  name text,
  status text NOT NULL CHECK (status IN ('ACTIVE', 'WINNER', 'LOSER', 'PLACED', 'REMOVED', 'REMOVED_VACANT', 'HIDDEN')),
  back_price double precision,
  back_size double precision,
  lay_price double precision,
  lay_size double precision,
  last_traded double precision,
  traded_volume double precision,
  bsp double precision,
  -- Per cent of the field.
  adjustment_factor double precision,
  removed_at timestamptz,
  PRIMARY KEY (market_id, selection_id),
  CHECK (bsp IS NULL OR status NOT IN ('REMOVED', 'REMOVED_VACANT'))
);

-- Every version of a market that was seen: suspensions, the turn in play, the close, each start that moved.
CREATE TABLE exchange_market_changes (
  market_id text NOT NULL REFERENCES exchange_markets,
  version bigint NOT NULL,
  -- When it was published, if the stream states it, otherwise when a poll saw it. The earlier of the two.
  at timestamptz NOT NULL,
  status text NOT NULL,
  in_play boolean NOT NULL,
  bsp_reconciled boolean NOT NULL,
  active_runners smallint,
  market_time timestamptz,
  PRIMARY KEY (market_id, version)
);

-- Both sides of each runner, change only: price_ticks has the back side beside the books' prices, this the lay side and the volume too.
CREATE TABLE exchange_ticks (
  at timestamptz NOT NULL,
  market_id text NOT NULL,
  selection_id bigint NOT NULL,
  back_price double precision,
  lay_price double precision,
  last_traded double precision,
  traded_volume double precision,
  PRIMARY KEY (market_id, selection_id, at)
);
SELECT create_hypertable('exchange_ticks', by_range('at', INTERVAL '1 day'), create_default_indexes => false);

-- Exchange ticks leave by the same rule as ticks (D48): those that the archive's lay prices do not agree with are kept for ever.
CREATE TABLE kept_exchange_ticks (
  LIKE exchange_ticks INCLUDING DEFAULTS,
  PRIMARY KEY (market_id, selection_id, at)
);
