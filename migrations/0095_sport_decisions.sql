-- Which match a book's row is, as decisions with reasons, and what an operator ruled (D66).

-- Kept 90 days beyond the start. A decision that is made again by a later push is the same.
CREATE TABLE sport_decisions (
  bookmaker_key text NOT NULL,
  -- The book's own id of the row, otherwise its sport, sides, competition and start.
  row_key text NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('joined', 'parted', 'new', 'refused', 'probable_twin')),
  because text NOT NULL,
  -- The match that the row became, or may be. Null: none is known.
  event_id uuid,
  sport_key text NOT NULL,
  -- As the row lists it.
  starts_at timestamptz NOT NULL,
  -- When the book listed the row so first, or the operator ruled.
  decided_at timestamptz NOT NULL,
  reasons jsonb NOT NULL,
  sentence text NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (bookmaker_key, row_key, verdict, because, event_id)
);
CREATE INDEX sport_decisions_of_match ON sport_decisions (event_id);
CREATE INDEX sport_decisions_by_time ON sport_decisions (decided_at);
CREATE INDEX sport_decisions_expired ON sport_decisions (expires_at);

ALTER TABLE sport_events
  -- An operator joined it to another match, which has all its rows. Its names lead there.
  ADD COLUMN joined_into uuid REFERENCES sport_events,
  -- Its home side is the other's away side.
  ADD COLUMN joined_turned boolean NOT NULL DEFAULT false;
CREATE INDEX sport_events_joined ON sport_events (joined_into) WHERE joined_into IS NOT NULL;

ALTER TABLE sport_event_books
  -- When an operator joined or parted the row. Null: never.
  ADD COLUMN ruled_at timestamptz,
  DROP CONSTRAINT sport_event_books_placed_by_check,
  ADD CONSTRAINT sport_event_books_placed_by_check
    CHECK (placed_by IN ('new', 'ruling', 'id', 'competition', 'unnamed', 'unknown_competition', 'moved')) NOT VALID;

-- Rows that an operator parted from a match: they never join it again.
CREATE TABLE sport_partings (
  event_id uuid NOT NULL REFERENCES sport_events,
  bookmaker_key text NOT NULL,
  -- Null: rows of the book without an id.
  source_event_id text,
  parted_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (event_id, bookmaker_key, source_event_id)
);
