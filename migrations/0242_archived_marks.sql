-- What each book's win prices were worth 30, 10, 5 and 1 minutes before the jump of D24, written with the archive of a race. Whole numbers only, so that
-- a race that is archived again can be taken out of its day exactly. Books that customers may see alone have rows (D42).
CREATE TABLE IF NOT EXISTS archived_marks (
  race_id uuid NOT NULL REFERENCES archived_races ON DELETE CASCADE,
  bookmaker_key text NOT NULL,
  minutes smallint NOT NULL,
  -- Runners that it had on offer.
  quoted smallint NOT NULL CHECK (quoted > 0),
  -- Of those, quotes whose age is known, and of these the stale ones (A 2.4 rule 4).
  checked smallint NOT NULL CHECK (checked BETWEEN 0 AND quoted),
  stale smallint NOT NULL CHECK (stale BETWEEN 0 AND checked),
  -- Not stale, but no real quote (A 2.4 rule 2).
  placeholders smallint NOT NULL,
  -- Neither, and another book had such a price too: how often it was the highest, and alone so.
  compared smallint NOT NULL,
  best smallint NOT NULL CHECK (best BETWEEN 0 AND compared),
  best_alone smallint NOT NULL CHECK (best_alone BETWEEN 0 AND best),
  -- Against the best close: how many, and the sum of the differences in hundredths of a percent.
  closes smallint NOT NULL,
  close_sum integer NOT NULL,
  -- Against the fair price at the same instant.
  fairs smallint NOT NULL,
  fair_sum integer NOT NULL,
  PRIMARY KEY (race_id, bookmaker_key, minutes)
);

-- The same by day of the start, kept in the transaction that writes the rows (D48).
CREATE TABLE IF NOT EXISTS archived_day_marks (
  start_day date NOT NULL,
  category text NOT NULL,
  bookmaker_key text NOT NULL,
  minutes smallint NOT NULL,
  -- At which it had a price on offer.
  races bigint NOT NULL,
  quoted bigint NOT NULL,
  checked bigint NOT NULL,
  stale bigint NOT NULL,
  placeholders bigint NOT NULL,
  compared bigint NOT NULL,
  best bigint NOT NULL,
  best_alone bigint NOT NULL,
  closes bigint NOT NULL,
  close_sum bigint NOT NULL,
  fairs bigint NOT NULL,
  fair_sum bigint NOT NULL,
  PRIMARY KEY (start_day, category, bookmaker_key, minutes)
);

-- Its marks count in no day. Beside `outcome`, which follows the prices and no longer changes once the ticks are gone.
ALTER TABLE archived_races ADD COLUMN IF NOT EXISTS abandoned boolean NOT NULL DEFAULT false;
