-- What the thoroughbred registry publishes: meetings, acceptances, the official scratching sheet, the official track rating. Every
-- row stands under the registry's own key, so that reading a page again writes nothing.
CREATE TABLE registry_meetings (
  -- `2026Aug01,NSW,Rosehill Gardens`.
  meeting_key text PRIMARY KEY,
  meeting_date date NOT NULL,
  state text NOT NULL,
  -- As the registry spells it, sponsor included.
  venue text NOT NULL,
  venue_id text NOT NULL,
  venue_canonical text NOT NULL,
  venue_site text NOT NULL,
  -- Whether the calendar links its acceptances; they may be published and not read yet.
  published boolean NOT NULL,
  -- The head of the acceptances.
  track_condition text,
  rail text,
  weather text,
  penetrometer text,
  track_type text,
  -- How many runners the page says it lists, emergencies included; its rows are checked against it.
  stated_runners integer,
  first_seen_at timestamptz NOT NULL,
  -- Last seen on the calendar; a meeting under way has left it.
  listed_at timestamptz NOT NULL,
  -- When the acceptances were last read; null until then.
  as_of timestamptz,
  -- When the scratching sheet was last read; null while there is none.
  sheet_as_of timestamptz
);
CREATE INDEX registry_meetings_by_day ON registry_meetings (meeting_date);

CREATE TABLE registry_races (
  meeting_key text NOT NULL REFERENCES registry_meetings,
  race_number smallint NOT NULL,
  -- Ours (D17), once a book lists it.
  race_id uuid UNIQUE REFERENCES races,
  -- What is stored here is still to be merged into our race.
  merge_due boolean NOT NULL DEFAULT true,
  race_name text NOT NULL,
  start_local text,
  start_time timestamptz,
  distance_m integer NOT NULL,
  race_class text,
  conditions text,
  prize_total integer,
  -- `1st` to whole dollars.
  prizes jsonb,
  track_name text,
  track_type text,
  field_limit smallint,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (meeting_key, race_number)
);

CREATE TABLE registry_runners (
  meeting_key text NOT NULL,
  race_number smallint NOT NULL,
  number smallint NOT NULL,
  name text NOT NULL,
  runner_key text NOT NULL,
  -- The registry's code of this horse at this meeting (`ra:` of A 2.1), and of this entry in this race.
  horse_code text,
  race_entry_code text,
  emergency boolean NOT NULL,
  barrier smallint,
  jockey text,
  jockey_code text,
  claim_kg double precision,
  trainer text,
  trainer_code text,
  weight_kg double precision,
  last10 text,
  rating double precision,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (meeting_key, race_number, number),
  FOREIGN KEY (meeting_key, race_number) REFERENCES registry_races ON DELETE CASCADE
);
-- A horse is found by its name or by a code of any meeting.
CREATE INDEX registry_runners_of_name ON registry_runners (runner_key);
CREATE INDEX registry_runners_of_code ON registry_runners (horse_code);

-- The sheet prints no times: a scratching is official from the first reading that showed it.
CREATE TABLE registry_scratchings (
  meeting_key text NOT NULL REFERENCES registry_meetings,
  race_number smallint NOT NULL,
  number smallint NOT NULL,
  name text NOT NULL,
  sheet_at timestamptz NOT NULL,
  PRIMARY KEY (meeting_key, race_number, number)
);

-- What changed between two readings, and nothing else.
CREATE TABLE registry_changes (
  meeting_key text NOT NULL REFERENCES registry_meetings,
  observed_at timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('published', 'race', 'runner', 'scratching')),
  -- 0 where the meeting itself, or the race itself, changed.
  race_number smallint NOT NULL,
  number smallint NOT NULL,
  was jsonb,
  is_now jsonb,
  PRIMARY KEY (meeting_key, observed_at, kind, race_number, number)
);

-- The official state of a meeting's track, one row per meeting whatever spelling (A 2.9).
CREATE TABLE registry_tracks (
  meeting_date date NOT NULL,
  venue_id text NOT NULL,
  state text NOT NULL,
  venue text NOT NULL,
  track_condition text,
  rail text,
  weather text,
  penetrometer text,
  rainfall text,
  irrigation text,
  -- As printed; what it means is not known.
  updated_text text,
  -- Column name to the reading that last stated it: what is no longer stated stands with its age.
  field_as_of jsonb NOT NULL,
  as_of timestamptz NOT NULL,
  PRIMARY KEY (meeting_date, venue_id)
);

-- The first row of a meeting has no `prev`: an initial state, not a change (A 2.9).
CREATE TABLE registry_track_changes (
  meeting_date date NOT NULL,
  venue_id text NOT NULL,
  observed_at timestamptz NOT NULL,
  track_condition text NOT NULL,
  rail text,
  weather text,
  prev_track_condition text,
  PRIMARY KEY (meeting_date, venue_id, observed_at),
  FOREIGN KEY (meeting_date, venue_id) REFERENCES registry_tracks
);

-- What stands between us and each registry's site (D26, D49): every process obeys it. No row: nothing was ever in the way.
CREATE TABLE registry_doors (
  registry text PRIMARY KEY,
  -- `paused`: the site requested a pause, until `retry_at`; `walled`: it refuses us, until a probe reads a page.
  state text NOT NULL CHECK (state IN ('ok', 'paused', 'walled')),
  since timestamptz NOT NULL,
  -- Of a pause its end, of a wall the next probe; null: not known.
  retry_at timestamptz,
  -- What the site answered, or why an operator opened the door.
  note text,
  probed_at timestamptz
);

-- What the registries publish of meetings that have run, under their own keys: reading a page again writes nothing but when it was read.

-- When a region's list of a day was last read: a meeting that is not on it has no document yet.
CREATE TABLE published_lists (
  source text NOT NULL,
  region text NOT NULL,
  day date NOT NULL,
  read_at timestamptz NOT NULL,
  PRIMARY KEY (source, region, day)
);

CREATE TABLE published_meetings (
  source text NOT NULL CHECK (source IN ('racing_australia', 'topaz')),
  -- The registry's own.
  document_key text NOT NULL,
  category text NOT NULL CHECK (category IN ('horse', 'harness', 'greyhound')),
  meeting_date date NOT NULL,
  region text NOT NULL,
  -- As the registry spells it.
  venue text NOT NULL,
  venue_id text NOT NULL,
  -- `abandoned`, `postponed` or `transferred to X` while the whole meeting does not run.
  note text,
  listed_at timestamptz NOT NULL,
  -- When the document was last read; null until then.
  as_of timestamptz,
  PRIMARY KEY (source, document_key)
);
CREATE INDEX published_meetings_by_day ON published_meetings (meeting_date, venue_id);

CREATE TABLE published_races (
  source text NOT NULL,
  document_key text NOT NULL,
  race_number smallint NOT NULL,
  start_time timestamptz,
  distance_m integer,
  race_name text,
  stage text NOT NULL CHECK (stage IN ('none', 'interim', 'final', 'abandoned')),
  -- As results serve them (A 2.11); null, never an empty array.
  runners jsonb CHECK (jsonb_array_length(runners) > 0),
  -- Ours (D17), once it is certain.
  race_id uuid REFERENCES races,
  -- Why it is not joined or its field not taken, when it was last looked at; null: nothing against it.
  refused text,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (source, document_key, race_number),
  FOREIGN KEY (source, document_key) REFERENCES published_meetings,
  -- One race of ours is one race of a registry.
  UNIQUE (race_id, source)
);

-- The registry's premiership tables (B 2.8), each replaced as a whole.
CREATE TABLE premiership_tables (
  role text NOT NULL CHECK (role IN ('jockey', 'trainer')),
  -- `AUS` or a state.
  state text NOT NULL,
  scope text NOT NULL CHECK (scope IN ('all', 'metro', 'provincial', 'country', 'picnic')),
  -- A season is from 1 August of this year to 31 July.
  season_start_year smallint NOT NULL,
  -- The last attempt to read it, whatever came of it.
  tried_at timestamptz NOT NULL,
  -- When the stored rows were read; null until the table was first read. A table that was read may have no rows.
  scraped_at timestamptz,
  -- The last page that came had no such table.
  absent boolean NOT NULL DEFAULT false,
  period_from date,
  period_to date,
  PRIMARY KEY (season_start_year, role, state, scope)
);

CREATE TABLE premiership_rows (
  role text NOT NULL,
  state text NOT NULL,
  scope text NOT NULL,
  season_start_year smallint NOT NULL,
  rank smallint NOT NULL CHECK (rank BETWEEN 1 AND 20),
  name text NOT NULL,
  code text,
  -- Dead heats count as halves.
  firsts double precision,
  seconds double precision,
  thirds double precision,
  fourths double precision,
  fifths double precision,
  prize_money double precision,
  strike_rate double precision,
  starts integer,
  PRIMARY KEY (season_start_year, role, state, scope, rank),
  FOREIGN KEY (season_start_year, role, state, scope) REFERENCES premiership_tables ON DELETE CASCADE
);
