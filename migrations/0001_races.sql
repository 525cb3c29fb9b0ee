-- What is running, who runs, and what each book says. One row per (race, book) with arrays aligned to `numbers`:
-- measured twice as fast to read as a row per runner (architecture.md).

CREATE TABLE races (
  race_id uuid PRIMARY KEY,
  meeting_date date NOT NULL,
  category text NOT NULL CHECK (category IN ('horse', 'harness', 'greyhound')),
  venue text NOT NULL,
  venue_id text NOT NULL,
  venue_canonical text NOT NULL,
  venue_site text NOT NULL,
  card smallint NOT NULL DEFAULT 1,
  race_number smallint NOT NULL,
  country text,
  start_time timestamptz NOT NULL,
  -- Counts the moves of the advertised start; the version of the fact that the workflow is told.
  start_version integer NOT NULL DEFAULT 1,
  race_name text,
  distance_m integer,
  track_condition text,
  weather text,
  race_class text,
  conditions text,
  prize_total integer,
  rail text,
  track_name text,
  places_paid smallint,
  -- Written once, never revised but for `abandoned` (A 2.2).
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'abandoned')),
  market_status text CHECK (market_status IN ('OPEN', 'SUSPENDED', 'CLOSED')),
  inplay boolean,
  market_closed_at timestamptz,
  inplay_at timestamptz,
  market_state_source text,
  -- The lifecycle's own view (A 3), written by the race workflow.
  phase text NOT NULL DEFAULT 'card',
  jumped_at timestamptz,
  left_board_at timestamptz,
  track_condition_changed_at timestamptz,
  first_seen_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  UNIQUE (meeting_date, category, venue_id, card, race_number)
);

-- The live board: every read of it goes through this index.
CREATE INDEX races_on_board ON races (start_time) WHERE left_board_at IS NULL;
CREATE INDEX races_by_start ON races (start_time);

CREATE TABLE race_runners (
  race_id uuid NOT NULL REFERENCES races,
  number smallint NOT NULL,
  name text NOT NULL,
  runner_key text NOT NULL,
  barrier smallint,
  jockey text,
  trainer text,
  weight_kg double precision,
  form text,
  runner_ref text,
  emergency boolean,
  -- Out while any book that reports the race says so (A 2.2). `scratched_at` is a book's own stamp, null where none sends one.
  scratched boolean NOT NULL DEFAULT false,
  scratched_at timestamptz,
  late boolean,
  win_deduction double precision CHECK (win_deduction BETWEEN 0 AND 1),
  place_deduction double precision CHECK (place_deduction BETWEEN 0 AND 1),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (race_id, number)
);

-- One row per race and book, rewritten by every poll: narrow, with room on its page for the next version (HOT). Not more room than
-- that: a lower fillfactor makes the server tidy the page up on nearly every poll.
CREATE TABLE race_books (
  race_id uuid NOT NULL REFERENCES races,
  bookmaker_key text NOT NULL,
  source_race_id text NOT NULL,
  -- Who wrote last: a write with an older (epoch, attempt) changes nothing (fence).
  epoch integer NOT NULL DEFAULT 0,
  attempt integer NOT NULL DEFAULT 0,
  -- Our instant of the last poll that the book answered: the age of everything in this row. Null until then.
  polled_at timestamptz,
  -- The book's own time on its last reply, where it stamps one.
  book_at timestamptz,
  -- When anything of the reply last changed.
  changed_at timestamptz,
  -- Of the last reply as written: an equal one only stamps freshness.
  reply_hash text,
  -- Every price held was compared with its last tick inside the capture window.
  captured boolean NOT NULL DEFAULT false,
  market_status text,
  source_url text,
  -- Of the book's last word on all that is not a price (`race_book_cards`): equal means there is nothing to merge.
  card_hash text,
  -- Ascending; every array below is aligned to it. A runner that left the book's reply stays, without prices.
  numbers smallint[] NOT NULL DEFAULT '{}',
  -- Folded names as this book spells them: a number that changes hands is another runner.
  runner_keys text[] NOT NULL DEFAULT '{}',
  win double precision[] NOT NULL DEFAULT '{}',
  place double precision[] NOT NULL DEFAULT '{}',
  top2 double precision[] NOT NULL DEFAULT '{}',
  top3 double precision[] NOT NULL DEFAULT '{}',
  top4 double precision[] NOT NULL DEFAULT '{}',
  -- Tote win estimates of the last reply, runner number -> { product: estimate }; null when the book carries no tote.
  tote jsonb,
  -- Per runner: when its win price last changed (`updated_at` of A 2.8), and the last win price written as a tick.
  win_changed_at timestamptz[] NOT NULL DEFAULT '{}',
  ticked_win double precision[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (race_id, bookmaker_key),
  UNIQUE (bookmaker_key, source_race_id)
) WITH (fillfactor = 85);

-- What each book says of the card, prices apart: race_runners is merged from these by rank, so a book that takes a word back is heard.
CREATE TABLE race_book_cards (
  race_id uuid NOT NULL,
  bookmaker_key text NOT NULL,
  card jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (race_id, bookmaker_key),
  FOREIGN KEY (race_id, bookmaker_key) REFERENCES race_books
);

-- What a poller may do now. One writer of intent: the race workflow.
CREATE TABLE race_control (
  race_id uuid PRIMARY KEY REFERENCES races,
  epoch integer NOT NULL,
  tier text NOT NULL CHECK (tier IN ('card', 'live', 'none')),
  advertised_start timestamptz NOT NULL,
  closed boolean NOT NULL DEFAULT false,
  holder_attempt integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL
);

CREATE TABLE track_condition_changes (
  race_id uuid NOT NULL REFERENCES races,
  observed_at timestamptz NOT NULL,
  source text NOT NULL,
  category text NOT NULL,
  track_condition text NOT NULL,
  weather text,
  prev_track_condition text,
  PRIMARY KEY (race_id, source, observed_at)
);

-- Raw spellings observed (A 2.10).
CREATE TABLE venue_spellings (
  venue_id text NOT NULL,
  spelling text NOT NULL,
  category text NOT NULL,
  country text,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (venue_id, spelling, category)
);
