-- What `write_poll` returns (migrations/functions). `changed`: win prices that differ from the stored ones. `card_differs`: the book's card is
-- still to be merged. Nothing was written unless `verdict` is `written`.
CREATE TYPE poll_verdict AS (
  verdict text,
  changed integer,
  ticks integer,
  card_differs boolean,
  start_version integer,
  start_moved boolean,
  market_closed_at timestamptz
);
