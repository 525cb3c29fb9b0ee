-- What the exchange says, whole and in its own words: withheld from customers everywhere (A 1). Written by polls and by the stream, in any
-- order and any number of times: a market's version says which word is the later one.

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
  -- Our instant of the last word on it.
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
  -- When it was published, where the stream says; when a poll saw it, else. The earlier of the two.
  at timestamptz NOT NULL,
  status text NOT NULL,
  in_play boolean NOT NULL,
  bsp_reconciled boolean NOT NULL,
  active_runners smallint,
  market_time timestamptz,
  PRIMARY KEY (market_id, version)
);

-- Both sides of each runner, change only: price_ticks holds the back side beside the books' prices, this the lay side and the volume too.
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
