-- What the registries publish of meetings that have run, under their own keys: reading a page again writes nothing but when it was read.

ALTER TABLE race_results
  -- When a scheduled pass of the registry's collector last ran over the race without a field; null before the first.
  ADD COLUMN field_last_pass_at timestamptz;

-- A pass that was not dated: any instant after the race will do, since only its having been counts.
UPDATE race_results x SET field_last_pass_at = r.start_time
  FROM races r WHERE r.race_id = x.race_id AND x.field_status = 'overdue';

CREATE INDEX race_results_awaited ON race_results (race_id) WHERE field_status IN ('pending', 'overdue');

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

-- A notice that a race does not run, as it was last told to that race: the same notice is not told again, or it would undo a
-- reinstatement at the next reading. Gone when the registry takes the notice back.
CREATE TABLE abandonment_notices (
  race_id uuid NOT NULL REFERENCES races,
  source text NOT NULL,
  document_key text NOT NULL,
  note text NOT NULL,
  told_at timestamptz NOT NULL,
  PRIMARY KEY (race_id, source)
);
