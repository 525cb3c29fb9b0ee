-- The permanent archive (B 2.1 to 2.4): what the prices of each past race were, kept when its ticks go. Facts of a race and its runners stand once,
-- in rows that late results change; the rows of prices are narrow and refer to them. Books that customers may not see have tables of
-- their own, so that no customer's read can meet them (D42).
CREATE TABLE archived_races (
  race_id uuid PRIMARY KEY REFERENCES races,
  start_time timestamptz NOT NULL,
  -- The jump of D24, to which every `secs_to_jump` of the archive counts.
  jump_at timestamptz NOT NULL,
  -- Sydney day of the start; `meeting_date` is the meeting's.
  start_day date NOT NULL,
  meeting_date date NOT NULL,
  category text NOT NULL,
  venue text NOT NULL,
  venue_id text NOT NULL,
  venue_site text NOT NULL,
  race_number smallint NOT NULL,
  country text,
  -- Null: the race has no result at all.
  result_status text,
  -- Another race has the same runners at the same time: one race may have been stored as two.
  venue_split_suspect boolean NOT NULL,
  -- `closed`: at least one closing line that customers may see. Otherwise why there is none.
  outcome text NOT NULL CHECK (outcome IN ('closed', 'abandoned', 'no_prices', 'prices_after_jump', 'last_seen_only')),
  -- Fingerprints of what the rows follow from: all facts (`archive_facts`), and those of the price paths alone.
  facts text NOT NULL,
  path_facts text NOT NULL,
  archived_at timestamptz NOT NULL,
  -- Ticks of the race have been dropped: from now on only facts are brought up to date, and prices are read from here.
  ticks_dropped_at timestamptz,
  -- How many closing lines of withheld books a race was archived with: its ticks stand until they are all there (`unarchived_ticks`). Null: it was archived
  -- before they were counted, and they are not compared.
  withheld_lines smallint
);
CREATE INDEX archived_races_by_start ON archived_races (start_time, race_id);
CREATE INDEX archived_races_by_day ON archived_races (start_day);
CREATE INDEX archived_races_by_meeting ON archived_races (meeting_date);
CREATE INDEX archived_races_by_venue ON archived_races (lower(venue), start_time);
-- Days to reconcile (D48) are found by when a race of them was archived.
CREATE INDEX archived_races_lately ON archived_races (archived_at);

-- Everyone whose prices were captured, and no others. `runner` counts from 1 by number and key.
CREATE TABLE archived_runners (
  race_id uuid NOT NULL REFERENCES archived_races ON DELETE CASCADE,
  runner smallint NOT NULL,
  number smallint NOT NULL,
  -- The card's folded name; a book's own where it differs and does not prove the same runner, or where an earlier runner had the number.
  runner_key text NOT NULL,
  name text,
  runner_ref text,
  finish_position smallint,
  -- By the result, which only names scratchings where it has the whole field.
  scratched boolean NOT NULL DEFAULT false,
  scratched_at timestamptz,
  name_fragment_suspect boolean NOT NULL DEFAULT false,
  consensus_close_prob double precision,
  books_in_consensus_close smallint NOT NULL DEFAULT 0,
  consensus_open_price double precision,
  books_in_consensus_open smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (race_id, runner)
);

-- One row per race, runner and book: the first price, and the last up to the jump.
CREATE TABLE archived_closing_lines (
  start_time timestamptz NOT NULL,
  race_id uuid NOT NULL,
  runner smallint NOT NULL,
  bookmaker_key text NOT NULL,
  open_win_price double precision NOT NULL,
  open_secs_to_jump integer NOT NULL,
  close_win_price double precision NOT NULL,
  -- From the last poll that saw the price; 0: it stood at the jump.
  close_secs_to_jump integer NOT NULL,
  points_observed integer NOT NULL,
  is_closing_line boolean NOT NULL,
  open_is_baseline boolean NOT NULL,
  open_place_price double precision,
  close_place_price double precision,
  open_top2_price double precision,
  open_top3_price double precision,
  open_top4_price double precision,
  close_top2_price double precision,
  close_top3_price double precision,
  close_top4_price double precision,
  -- Which observation made the close: its own capture, a later poll, or none within 300 s of the jump.
  close_found_by text NOT NULL CHECK (close_found_by IN ('tick', 'poll', 'none')),
  -- Whole seconds from the capture of the closing price to the jump.
  close_age_s integer NOT NULL,
  -- The place close of closing line value: the last captured place price up to the jump, and whole seconds from its last observation to the jump. Null: none.
  clv_place_price double precision,
  clv_place_secs_to_jump integer,
  PRIMARY KEY (start_time, race_id, runner, bookmaker_key)
);
SELECT create_hypertable('archived_closing_lines', by_range('start_time', INTERVAL '28 days'), create_default_indexes => false);

-- The same of books that customers may not see, with the lay price of the exchange's close.
CREATE TABLE withheld_closing_lines (
  start_time timestamptz NOT NULL,
  race_id uuid NOT NULL,
  runner smallint NOT NULL,
  bookmaker_key text NOT NULL,
  open_win_price double precision NOT NULL,
  open_secs_to_jump integer NOT NULL,
  close_win_price double precision NOT NULL,
  close_secs_to_jump integer NOT NULL,
  points_observed integer NOT NULL,
  is_closing_line boolean NOT NULL,
  open_is_baseline boolean NOT NULL,
  open_place_price double precision,
  close_place_price double precision,
  open_top2_price double precision,
  open_top3_price double precision,
  open_top4_price double precision,
  close_top2_price double precision,
  close_top3_price double precision,
  close_top4_price double precision,
  close_found_by text NOT NULL CONSTRAINT archived_closing_lines_close_found_by_check CHECK (close_found_by IN ('tick', 'poll', 'none')),
  close_age_s integer NOT NULL,
  close_lay_price double precision,
  clv_place_price double precision,
  clv_place_secs_to_jump integer,
  PRIMARY KEY (start_time, race_id, runner, bookmaker_key)
);
SELECT create_hypertable('withheld_closing_lines', by_range('start_time', INTERVAL '28 days'), create_default_indexes => false);

-- Every captured price. Its key is that of the ticks: a tick is archived once.
CREATE TABLE archived_price_paths (
  start_time timestamptz NOT NULL,
  race_id uuid NOT NULL,
  runner smallint NOT NULL,
  bookmaker_key text NOT NULL,
  captured_at timestamptz NOT NULL,
  secs_to_jump integer NOT NULL,
  win_price double precision NOT NULL,
  place_price double precision,
  top2_price double precision,
  top3_price double precision,
  top4_price double precision,
  PRIMARY KEY (start_time, race_id, runner, bookmaker_key, captured_at)
);
SELECT create_hypertable('archived_price_paths', by_range('start_time', INTERVAL '7 days'), create_default_indexes => false);

CREATE TABLE withheld_price_paths (
  LIKE archived_price_paths INCLUDING ALL,
  lay_price double precision
);
SELECT create_hypertable('withheld_price_paths', by_range('start_time', INTERVAL '7 days'), create_default_indexes => false);

-- One row per race and runner that was not scratched: the analysis of the market as it stood at the jump.
CREATE TABLE archived_summaries (
  start_time timestamptz NOT NULL,
  race_id uuid NOT NULL,
  runner smallint NOT NULL,
  consensus_t60 double precision,
  consensus_t30 double precision,
  consensus_t15 double precision,
  consensus_t10 double precision,
  consensus_t5 double precision,
  consensus_t2 double precision,
  consensus_close double precision,
  close_source text CHECK (close_source IN ('archive', 'ticks')),
  books_t60 smallint,
  books_t15 smallint,
  books_close smallint,
  consensus_high double precision,
  consensus_high_at timestamptz,
  consensus_low double precision,
  consensus_low_at timestamptz,
  move_from_t60_pct double precision,
  move_from_t15_pct double precision,
  move_t5_close_pct double precision,
  ticks_total integer NOT NULL,
  ticks_last_5m integer NOT NULL,
  books_with_history smallint NOT NULL,
  books_firming smallint NOT NULL,
  books_drifting smallint NOT NULL,
  books_unchanged smallint NOT NULL,
  first_mover_bookmaker text,
  first_mover_at timestamptz,
  first_mover_lead_s double precision,
  follower_median_lag_s double precision,
  signal text NOT NULL,
  best_close_price double precision,
  best_close_bookmaker text,
  best_vs_consensus_pct double precision,
  PRIMARY KEY (start_time, race_id, runner)
);
SELECT create_hypertable('archived_summaries', by_range('start_time', INTERVAL '28 days'), create_default_indexes => false);

-- Rows that customers may read, counted by everything that they can be filtered by; kept in the transaction that writes the rows (D48).
CREATE TABLE archived_counts (
  race_id uuid NOT NULL REFERENCES archived_races ON DELETE CASCADE,
  what text NOT NULL CHECK (what IN ('line', 'path', 'summary')),
  -- Bookmaker; of a summary its signal.
  series text NOT NULL,
  -- False where it does not apply.
  closing boolean NOT NULL,
  baseline boolean NOT NULL,
  split boolean NOT NULL,
  fragment boolean NOT NULL,
  scratched boolean NOT NULL,
  n integer NOT NULL CHECK (n > 0),
  PRIMARY KEY (race_id, what, series, closing, baseline, split, fragment, scratched)
);

-- The same by day of the start, and also over all series ('').
CREATE TABLE archived_day_counts (
  start_day date NOT NULL,
  category text NOT NULL,
  -- '': unknown.
  country text NOT NULL,
  resulted boolean NOT NULL,
  what text NOT NULL,
  series text NOT NULL,
  closing boolean NOT NULL,
  baseline boolean NOT NULL,
  split boolean NOT NULL,
  fragment boolean NOT NULL,
  scratched boolean NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (what, series, start_day, category, country, resulted, closing, baseline, split, fragment, scratched)
);

-- The same over all days, and races by how their archive came out (`race`, its outcome as series, `closing`: it has rows that customers may read).
CREATE TABLE archived_totals (
  what text NOT NULL,
  series text NOT NULL,
  category text NOT NULL,
  country text NOT NULL,
  resulted boolean NOT NULL,
  closing boolean NOT NULL,
  baseline boolean NOT NULL,
  split boolean NOT NULL,
  fragment boolean NOT NULL,
  scratched boolean NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (what, series, category, country, resulted, closing, baseline, split, fragment, scratched)
);

-- Races by day of the start and by how their archive came out.
CREATE TABLE archived_days (
  start_day date NOT NULL,
  category text NOT NULL,
  country text NOT NULL,
  outcome text NOT NULL,
  -- Has rows that customers may read.
  has_lines boolean NOT NULL,
  resulted boolean NOT NULL,
  races bigint NOT NULL,
  PRIMARY KEY (start_day, category, country, outcome, has_lines, resulted)
);

-- Past races whose archive or run store is older than their facts (D43, B 2.6), kept in the transaction of the fact, so that a pass reads what is due
-- and not all of history. A race is due until a pass has read facts at least as new as the change.
CREATE TABLE due_races (
  work text NOT NULL CHECK (work IN ('archive', 'runs')),
  race_id uuid NOT NULL,
  -- The transaction that changed a fact last: who read the facts before it may not settle it.
  changed_by xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (work, race_id)
);

-- How far back the audit has compared: the race that it looked at last, by start and id. Null: it begins with the newest.
CREATE TABLE archive_audit (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  before_start timestamptz,
  before_race uuid
);
INSERT INTO archive_audit DEFAULT VALUES;
