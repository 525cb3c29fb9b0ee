-- What a race's workflow has taken from the database: wherever the database has more, it is signalled again, until both agree. `start_version` is
-- null in a row that the release before wrote.
ALTER TABLE race_control
  ADD COLUMN start_version integer,
  ADD COLUMN abandonment_version integer NOT NULL DEFAULT 0,
  -- The workflow ended by its own rules. A result that was written later is a reason to start it again.
  ADD COLUMN ended_at timestamptz;

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
