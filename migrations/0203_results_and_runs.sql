-- What came of each race, kept forever.
CREATE TABLE race_results (
  race_id uuid PRIMARY KEY REFERENCES races,
  status text NOT NULL CHECK (status IN ('interim', 'final', 'abandoned')),
  status_note text,
  protest boolean NOT NULL DEFAULT false,
  -- [{position, number, name, win_price, place_price}], best first; win_price and place_price are one book's settled fixed prices.
  placings jsonb NOT NULL DEFAULT '[]',
  -- Identity of the placings alone, so that "stable" is one comparison.
  placings_key text NOT NULL,
  placings_since timestamptz NOT NULL,
  -- The full field, or null: never an empty array (A 2.11 rule 6).
  runners jsonb,
  dividends jsonb,
  deductions jsonb NOT NULL DEFAULT '[]',
  source text,
  overridden boolean NOT NULL DEFAULT false,
  resulted_at timestamptz,
  finalised_at timestamptz,
  -- Copied from the live row when the result is written (A 2.2); a late result keeps null.
  market_closed_at timestamptz,
  inplay_at timestamptz,
  market_state_source text,
  field_status text NOT NULL CHECK (field_status IN ('complete', 'pending', 'overdue', 'unavailable', 'unsupported', 'not_applicable')),
  field_source text,
  field_note text,
  field_expected_at timestamptz,
  updated_at timestamptz NOT NULL,
  -- When a scheduled pass of the registry's collector last ran over the race without a field; null before the first.
  field_last_pass_at timestamptz,
  -- Whose fixed prices the placings of a result carry: all of them are of one book (A 2.11 rule 3). Never served. Null: no book has priced them.
  price_source text,
  CHECK (runners IS NULL OR jsonb_array_length(runners) > 0),
  CHECK ((field_status = 'complete') = (runners IS NOT NULL))
);
CREATE INDEX race_results_by_update ON race_results (updated_at);
CREATE INDEX race_results_awaited ON race_results (race_id) WHERE field_status IN ('pending', 'overdue');
CREATE TRIGGER runs_of_result AFTER INSERT ON race_results FOR EACH ROW EXECUTE FUNCTION write_runs_by_name();
CREATE TRIGGER runs_of_changed_result AFTER UPDATE ON race_results FOR EACH ROW
  WHEN ((OLD.status, OLD.placings, OLD.runners, OLD.deductions) IS DISTINCT FROM (NEW.status, NEW.placings, NEW.runners, NEW.deductions))
  EXECUTE FUNCTION write_runs_by_name();
CREATE TRIGGER result_announced AFTER INSERT ON race_results FOR EACH ROW
  WHEN (NEW.status IN ('final', 'abandoned')) EXECUTE FUNCTION announce_result();
CREATE TRIGGER changed_result_announced AFTER UPDATE ON race_results FOR EACH ROW
  WHEN (NEW.status IN ('final', 'abandoned') AND (NEW.status, NEW.placings_key) IS DISTINCT FROM (OLD.status, OLD.placings_key))
  EXECUTE FUNCTION announce_result();
CREATE TRIGGER result_due AFTER INSERT OR UPDATE ON race_results FOR EACH ROW EXECUTE FUNCTION race_due();

-- What each book publishes of the outcome: race_results is merged from these by rank, so the order in which books publish does not matter.
CREATE TABLE race_book_results (
  race_id uuid NOT NULL REFERENCES races,
  bookmaker_key text NOT NULL,
  result jsonb NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (race_id, bookmaker_key)
);

-- A notice that a race does not run, as its workflow was last signalled: the same notice is not sent again, or it would undo a reinstatement at the
-- next reading. Gone when the registry takes the notice back.
CREATE TABLE abandonment_notices (
  race_id uuid NOT NULL REFERENCES races,
  source text NOT NULL,
  document_key text NOT NULL,
  note text NOT NULL,
  told_at timestamptz NOT NULL,
  PRIMARY KEY (race_id, source)
);

-- Who ran in which race, by folded name: what form (A 4.13) is looked up by. Nothing here is a fact of its own: every row follows from a
-- result, its race and its card, and is written by triggers, so that no writer of results can forget it.
CREATE TABLE runs_by_name (
  race_id uuid NOT NULL REFERENCES race_results ON DELETE CASCADE,
  number smallint NOT NULL,
  category text NOT NULL,
  -- As `runnerKey` folds it.
  runner_key text NOT NULL,
  name text NOT NULL,
  runner_ref text,
  start_time timestamptz NOT NULL,
  PRIMARY KEY (race_id, number)
);
CREATE INDEX runs_by_name_newest ON runs_by_name (category, runner_key, start_time DESC, race_id, number);
-- A dog's id is the same in every race; a horse's changes each day (A 2.1).
CREATE INDEX runs_by_name_of_dog ON runs_by_name (runner_ref, start_time DESC, race_id, number) WHERE category = 'greyhound';

-- The run store (B 2.6, B 2.7): one row per entry of one animal in one race, kept for ever. Filled hourly from the full fields of results; columns are
-- null where the publishing page printed nothing.
CREATE TABLE stored_runs (
  -- The race's id; of a run from another origin than our results a synthetic one that joins to nothing.
  result_id text NOT NULL,
  number smallint NOT NULL,
  race_id uuid REFERENCES race_results ON DELETE CASCADE,
  category text NOT NULL CHECK (category IN ('horse', 'greyhound')),
  origin text NOT NULL CHECK (origin IN ('results', 'history', 'tabtouch')),
  -- Which source published the run.
  collector text,
  -- As `runnerKey` folds it.
  runner_key text NOT NULL,
  name text NOT NULL,
  runner_ref text,
  meeting_date date NOT NULL,
  start_time timestamptz NOT NULL,
  venue text NOT NULL,
  venue_site text NOT NULL,
  race_number smallint NOT NULL,
  race_name text,
  distance_m integer,
  track_condition text,
  race_class text,
  grade text,
  -- Starters.
  field_size smallint,
  -- The winner's.
  race_time_s double precision,
  last_600m_s double precision,
  prize_total integer,
  box smallint,
  status text NOT NULL CHECK (status IN ('ran', 'scratched', 'reserve')),
  position smallint,
  abnormal text,
  dead_heat boolean NOT NULL,
  margin text,
  time_s double precision,
  first_split_s double precision,
  second_split_s double precision,
  pir text,
  sp double precision CHECK (sp > 1),
  sp_note text,
  jockey text,
  trainer text,
  weight_kg double precision,
  carried_kg double precision,
  prize_won double precision,
  PRIMARY KEY (result_id, number),
  CHECK ((origin = 'results') = (race_id IS NOT NULL))
);
CREATE INDEX stored_runs_of_name ON stored_runs (category, runner_key, start_time DESC);
CREATE INDEX stored_runs_of_ref ON stored_runs (runner_ref, start_time DESC);
CREATE INDEX stored_runs_by_start ON stored_runs (category, start_time);
CREATE INDEX stored_runs_of_race ON stored_runs (race_id);

-- The state of the result and of the race that the runs of a race were filled from. Any other state makes it due again.
CREATE TABLE filled_runs (
  race_id uuid PRIMARY KEY REFERENCES race_results ON DELETE CASCADE,
  result_at timestamptz NOT NULL,
  race_at timestamptz NOT NULL
);

-- Form pages of the thoroughbred registry (B 2.5, B 3): the newest reading under each code that was read. Kept for ever, because a page is served
-- whatever its age while the registry is away.
CREATE TABLE horse_forms (
  -- `ra:` and the code that the page was read under.
  runner_ref text PRIMARY KEY,
  -- As `runnerKey` folds it.
  runner_key text NOT NULL,
  name text NOT NULL,
  -- Race time of the reading.
  fetched_at timestamptz NOT NULL,
  -- `HorseForm` of src/domain/form.
  form jsonb NOT NULL
);
CREATE INDEX horse_forms_of_name ON horse_forms (runner_key);

-- Runs of meetings that the service did not follow (B 2.6, B 2.7, D53): which months of a registry's lists were read, and which meetings on them are
-- to be read still. What stands here decides where a pass goes on. The runs are rows of `stored_runs` with the origin `history`.
CREATE TABLE history_months (
  source text NOT NULL,
  region text NOT NULL,
  -- Its first day.
  month date NOT NULL,
  -- Race time of the last reading.
  listed_at timestamptz NOT NULL,
  -- On that list.
  meetings integer NOT NULL,
  PRIMARY KEY (source, region, month)
);

CREATE TABLE history_meetings (
  source text NOT NULL,
  document_key text NOT NULL,
  region text NOT NULL,
  meeting_date date NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  -- Race time; null: it is not read again.
  next_try_at timestamptz,
  PRIMARY KEY (source, document_key)
);
CREATE INDEX history_meetings_due ON history_meetings (source, meeting_date DESC) WHERE next_try_at IS NOT NULL;
