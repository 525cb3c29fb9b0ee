-- What the close of a price needs (B 2.1), kept for every captured price: the last poll that saw it. Ticks alone are change-only: they cannot
-- show that a price was withdrawn before the jump and offered again after it.
ALTER TABLE price_ticks
  -- Our instant of the book's poll before: until then the price before this one was on offer. Null: no earlier poll, or written before this was kept.
  ADD COLUMN seen_before timestamptz;

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
