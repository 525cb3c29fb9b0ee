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
  -- What is held here is still to be merged into our race.
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
