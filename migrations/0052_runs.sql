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
