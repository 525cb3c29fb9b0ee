-- The card: what is running, who runs, and what each book lists. Marks (`…_written_at`) are set by triggers, so that no writer can forget them: when
-- a row was written, by the database's own clock and under the lock of its table. No mark is earlier than the start of its transaction, and none that
-- is made after somebody looked at the open transactions is earlier than that look (`src/store/reads/races/changes.ts`).

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
  -- Counts the moves of the advertised start; the version of the fact that the workflow is signalled with.
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
  -- When what a customer can see of the race was last written, its runners and scratchings included.
  written_at timestamptz,
  -- When it last came into somebody's view: all its prices are news then.
  shown_written_at timestamptz,
  -- When the books were queried for the result of a race that was first seen long after its start: once. Null: not yet, or the race had a workflow.
  result_sought_at timestamptz,
  -- `race.odds_open` was announced. What decides is `event_keys`; this spares a poll the look at it.
  odds_open boolean NOT NULL DEFAULT false,
  -- When what the live board shows was last written: what a client of the stream missed is found by it (D64). `changes` (A 2.8) follows `written_at` and
  -- `moved_written_at`, because it reports fewer fields.
  board_written_at timestamptz,
  UNIQUE (meeting_date, category, venue_id, card, race_number)
);
-- The live board: every read of it goes through this index.
CREATE INDEX races_on_board ON races (start_time) WHERE left_board_at IS NULL;
CREATE INDEX races_by_start ON races (start_time);
CREATE INDEX races_written ON races (written_at) WHERE left_board_at IS NULL;
-- The venue directory (A 2.10) asks per venue and code for its latest race: 57,000 races of 90 days answered in 14 ms instead of 145.
CREATE INDEX races_by_venue ON races (venue_id, category, start_time);
CREATE INDEX races_past ON races (start_time DESC, race_id DESC) WHERE left_board_at IS NOT NULL;
CREATE INDEX races_board_written ON races (board_written_at);
CREATE TRIGGER races_written BEFORE INSERT OR UPDATE ON races FOR EACH ROW EXECUTE FUNCTION write_race();
CREATE TRIGGER runs_of_moved_race AFTER UPDATE ON races FOR EACH ROW
  WHEN (OLD.start_time <> NEW.start_time) EXECUTE FUNCTION move_runs_by_name();
CREATE TRIGGER past_race_due AFTER INSERT OR UPDATE ON races FOR EACH ROW
  WHEN (NEW.left_board_at IS NOT NULL) EXECUTE FUNCTION race_due();
CREATE TRIGGER races_board_added BEFORE INSERT ON races FOR EACH ROW EXECUTE FUNCTION mark_board();
-- `written_at` rises with every write of a runner.
CREATE TRIGGER races_board_written BEFORE UPDATE ON races FOR EACH ROW
  WHEN ((NEW.written_at, NEW.meeting_date, NEW.category, NEW.venue, NEW.venue_id, NEW.venue_canonical, NEW.venue_site, NEW.race_number,
         NEW.country, NEW.start_time, NEW.race_name, NEW.distance_m, NEW.track_condition, NEW.weather, NEW.race_class, NEW.conditions,
         NEW.prize_total, NEW.rail, NEW.track_name, NEW.places_paid, NEW.status, NEW.market_status, NEW.market_closed_at,
         NEW.market_state_source, NEW.jumped_at, NEW.left_board_at, NEW.track_condition_changed_at)
    IS DISTINCT FROM
        (OLD.written_at, OLD.meeting_date, OLD.category, OLD.venue, OLD.venue_id, OLD.venue_canonical, OLD.venue_site, OLD.race_number,
         OLD.country, OLD.start_time, OLD.race_name, OLD.distance_m, OLD.track_condition, OLD.weather, OLD.race_class, OLD.conditions,
         OLD.prize_total, OLD.rail, OLD.track_name, OLD.places_paid, OLD.status, OLD.market_status, OLD.market_closed_at,
         OLD.market_state_source, OLD.jumped_at, OLD.left_board_at, OLD.track_condition_changed_at))
  EXECUTE FUNCTION mark_board();
CREATE TRIGGER moves_announced AFTER UPDATE ON races FOR EACH ROW
  WHEN (NEW.start_time IS DISTINCT FROM OLD.start_time OR NEW.track_condition IS DISTINCT FROM OLD.track_condition
        OR NEW.left_board_at IS DISTINCT FROM OLD.left_board_at OR NEW.country IS DISTINCT FROM OLD.country)
  EXECUTE FUNCTION announce_moves();
CREATE TRIGGER race_announced AFTER UPDATE ON races FOR EACH ROW
  WHEN (NEW.market_status IS DISTINCT FROM OLD.market_status OR NEW.market_state_source IS DISTINCT FROM OLD.market_state_source
        OR NEW.shown_written_at IS DISTINCT FROM OLD.shown_written_at OR NEW.status <> OLD.status OR NEW.start_time <> OLD.start_time)
  EXECUTE FUNCTION announce_race();

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
CREATE TRIGGER race_names_added AFTER INSERT ON race_runners REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION write_race_names();
CREATE TRIGGER race_names_changed AFTER UPDATE ON race_runners REFERENCING NEW TABLE AS written
  FOR EACH STATEMENT EXECUTE FUNCTION write_race_names();
CREATE TRIGGER race_names_gone AFTER DELETE ON race_runners REFERENCING OLD TABLE AS was
  FOR EACH STATEMENT EXECUTE FUNCTION write_race_names();
CREATE TRIGGER added_runners_due AFTER INSERT ON race_runners REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION runners_due();
CREATE TRIGGER changed_runners_due AFTER UPDATE ON race_runners REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION runners_due();
CREATE TRIGGER gone_runners_due AFTER DELETE ON race_runners REFERENCING OLD TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION runners_due();

-- Every name that a runner has had on the card of a race, and what became of it: prices are reported by name, so a name that goes or changes its
-- number takes its prices with it.
CREATE TABLE race_names (
  race_id uuid NOT NULL REFERENCES races,
  name text NOT NULL,
  number smallint NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'scratched', 'gone')),
  -- It stood otherwise before.
  again boolean NOT NULL DEFAULT false,
  written_at timestamptz NOT NULL,
  -- The name was listed as running, and no scratching of it was announced since. Also true of every name whose state is 'running'.
  listed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (race_id, name)
);

-- One row per race and book, with arrays aligned to `numbers`: measured twice as fast to read as a row per runner. Every poll rewrites it:
-- narrow, with room on its page for the next version (HOT). Not more room than that: a lower fillfactor makes the server tidy the page up on nearly
-- every poll.
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
  -- Every stored price was compared with its last tick inside the capture window.
  captured boolean NOT NULL DEFAULT false,
  market_status text,
  source_url text,
  -- Of the book's last reply on all that is not a price (`race_book_cards`): equal means there is nothing to merge.
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
  -- Aligned to `numbers`: when the last change of the win price was written. `win_changed_at` is the instant of a poll, whose write may commit much later.
  win_written_at timestamptz[] NOT NULL DEFAULT '{}',
  -- The newest of them. In an index, so a poll that moves a price is no HOT update; every other poll still is.
  moved_written_at timestamptz,
  -- Our instant of the poll before the one that last moved a win price or shut the book: what they replaced was on offer then.
  -- The close of a book's prices needs it (B 2.1), because ticks are change-only.
  offered_at timestamptz,
  -- In no index: a poll that moves a place price only stays a HOT update, and it is looked up race by race.
  board_written_at timestamptz,
  -- When the book's own id of the race was last written, which its betslip links are made from.
  linked_written_at timestamptz,
  PRIMARY KEY (race_id, bookmaker_key),
  UNIQUE (bookmaker_key, source_race_id)
) WITH (fillfactor = 85);
CREATE INDEX race_books_moved ON race_books (moved_written_at);
CREATE INDEX race_books_linked ON race_books (linked_written_at);
CREATE TRIGGER race_books_board_added BEFORE INSERT ON race_books FOR EACH ROW EXECUTE FUNCTION mark_board();
-- Not on a poll that found nothing new: it sets none of these columns.
CREATE TRIGGER race_books_board_written
  BEFORE UPDATE OF numbers, win, place, top2, top3, top4, tote, source_url ON race_books FOR EACH ROW
  WHEN (OLD.polled_at IS NULL OR (NEW.numbers, NEW.win, NEW.place, NEW.top2, NEW.top3, NEW.top4, NEW.tote, NEW.source_url)
    IS DISTINCT FROM (OLD.numbers, OLD.win, OLD.place, OLD.top2, OLD.top3, OLD.top4, OLD.tote, OLD.source_url))
  EXECUTE FUNCTION mark_board();
CREATE TRIGGER race_books_linked BEFORE UPDATE OF source_race_id ON race_books FOR EACH ROW
  WHEN (NEW.source_race_id IS DISTINCT FROM OLD.source_race_id) EXECUTE FUNCTION mark_book_link();

-- What each book says of the card, prices apart: race_runners is merged from these by rank, so a book may take back what it listed.
CREATE TABLE race_book_cards (
  race_id uuid NOT NULL,
  bookmaker_key text NOT NULL,
  card jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  board_written_at timestamptz,
  PRIMARY KEY (race_id, bookmaker_key),
  FOREIGN KEY (race_id, bookmaker_key) REFERENCES race_books
);
CREATE INDEX race_book_cards_written ON race_book_cards (board_written_at);
CREATE TRIGGER race_book_cards_written BEFORE INSERT OR UPDATE ON race_book_cards FOR EACH ROW EXECUTE FUNCTION mark_board();

-- What a poller may do now. One writer of intent: the race workflow.
CREATE TABLE race_control (
  race_id uuid PRIMARY KEY REFERENCES races,
  epoch integer NOT NULL,
  tier text NOT NULL CHECK (tier IN ('card', 'live', 'none')),
  advertised_start timestamptz NOT NULL,
  closed boolean NOT NULL DEFAULT false,
  holder_attempt integer NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL,
  -- What a race's workflow has taken from the database: wherever the database has more, it is signalled again, until both agree.
  start_version integer,
  abandonment_version integer NOT NULL DEFAULT 0,
  -- The workflow ended by its own rules. A result that was written later is a reason to start it again.
  ended_at timestamptz
);

-- The last abandonment of a race that was ordered outside its workflow: with its meeting, or by a registry's notice. `orders`: every order that was
-- counted in `version`, so that a repeated one is not counted again.
CREATE TABLE race_abandonments (
  race_id uuid PRIMARY KEY REFERENCES races,
  version integer NOT NULL,
  note text NOT NULL,
  source text NOT NULL,
  orders text[] NOT NULL,
  ordered_at timestamptz NOT NULL
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

-- What discovery last read of each book's list of a day. `failing`: readings in a row that brought no list that could be placed.
CREATE TABLE book_lists (
  bookmaker_key text NOT NULL,
  day date NOT NULL,
  tried_at timestamptz NOT NULL,
  read_at timestamptz,
  failing integer NOT NULL DEFAULT 0 CHECK (failing >= 0),
  PRIMARY KEY (bookmaker_key, day)
);

-- The last check of each book's betslip links (A 2.4 rule 6): a book whose check fails has no link until one passes. A book without a
-- row was never checked, and its links stand.
CREATE TABLE betslip_checks (
  bookmaker_key text PRIMARY KEY,
  checked_at timestamptz NOT NULL,
  ok boolean NOT NULL,
  links integer NOT NULL CHECK (links > 0),
  failed integer NOT NULL CHECK (failed BETWEEN 0 AND links),
  -- Of the first link that failed; null when all opened.
  message text,
  failing_since timestamptz,
  board_written_at timestamptz,
  CHECK (ok = (failing_since IS NULL))
);
CREATE TRIGGER betslip_checks_added BEFORE INSERT ON betslip_checks FOR EACH ROW EXECUTE FUNCTION mark_board();
CREATE TRIGGER betslip_checks_turned BEFORE UPDATE ON betslip_checks FOR EACH ROW
  WHEN (NEW.ok IS DISTINCT FROM OLD.ok) EXECUTE FUNCTION mark_board();
