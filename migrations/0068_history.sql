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
