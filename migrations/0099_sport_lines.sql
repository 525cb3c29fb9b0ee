-- Lines of a match beside each book's main one, what stood before a book's last change, and how often a book changes its mind (D66).

-- What stood before the last change, since `before_changed_at`. All null: nothing, or it was not recorded.
ALTER TABLE sport_quotes
  ADD COLUMN before_home_price double precision,
  ADD COLUMN before_draw_price double precision,
  ADD COLUMN before_away_price double precision,
  ADD COLUMN before_home_point double precision,
  ADD COLUMN before_away_point double precision,
  ADD COLUMN before_changed_at timestamptz;

-- Only what the book's last push of the match listed: lines that it lists no longer are deleted. They have no history.
CREATE TABLE sport_lines (
  event_id uuid NOT NULL REFERENCES sport_events,
  bookmaker_key text NOT NULL,
  market text NOT NULL CHECK (market IN ('alternate_spreads', 'alternate_totals')),
  -- Of the match's home side, or the total.
  point double precision NOT NULL,
  home_price double precision,
  away_price double precision,
  observed_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  -- As in `sport_quotes`.
  source_updated_at timestamptz,
  PRIMARY KEY (event_id, bookmaker_key, market, point)
);

-- By book, sport and UTC day: the prices of markets that it offered, and those of them that it changed or took back within ten minutes.
CREATE TABLE sport_moves (
  bookmaker_key text NOT NULL,
  sport_key text NOT NULL,
  day date NOT NULL,
  offered integer NOT NULL,
  moved integer NOT NULL,
  PRIMARY KEY (bookmaker_key, sport_key, day)
);
