-- Sports odds (A 2.13, A 4.13): matches, what each book lists of them, its prices, and every change of a price.

CREATE TABLE sport_events (
  event_id uuid PRIMARY KEY,
  -- `sport:home:away:day`, the Sydney day on which the match was first listed to start. It never changes.
  canonical_event_id text NOT NULL UNIQUE,
  sport_key text NOT NULL,
  -- Of `domain/sports/team-names.ts`.
  home_key text NOT NULL,
  away_key text NOT NULL,
  home_team text NOT NULL,
  away_team text NOT NULL,
  competition text,
  -- That most books list whose prices are not stale; of equals the earliest.
  commence_time timestamptz NOT NULL,
  first_seen_at timestamptz NOT NULL
);
CREATE INDEX sport_events_by_start ON sport_events (commence_time);
CREATE INDEX sport_events_of_sport ON sport_events (sport_key, commence_time);
CREATE INDEX sport_events_by_teams ON sport_events (sport_key, home_key, away_key);
CREATE INDEX sport_events_by_competition ON sport_events (sport_key, competition) WHERE competition IS NOT NULL;

-- A book's row of a match, as it was last listed.
CREATE TABLE sport_event_books (
  event_id uuid NOT NULL REFERENCES sport_events,
  bookmaker_key text NOT NULL,
  source_event_id text,
  home_name text NOT NULL,
  away_name text NOT NULL,
  -- The book lists the teams the other way round. Names are its own; prices in this schema are of the match's sides.
  swapped boolean NOT NULL,
  commence_time timestamptz NOT NULL,
  -- Of the last push that listed it.
  observed_at timestamptz NOT NULL,
  -- Of the first push that no longer lists it.
  taken_back_at timestamptz,
  PRIMARY KEY (event_id, bookmaker_key)
);
CREATE INDEX sport_event_books_listed ON sport_event_books (bookmaker_key) WHERE taken_back_at IS NULL;

-- What stands now if the match's row of the book has the same `observed_at`; otherwise what stood before the start. All prices null: taken back.
CREATE TABLE sport_quotes (
  event_id uuid NOT NULL REFERENCES sport_events,
  bookmaker_key text NOT NULL,
  market text NOT NULL CHECK (market IN ('h2h', 'spreads', 'totals')),
  home_price double precision,
  draw_price double precision,
  away_price double precision,
  -- The handicap of each side; both are the total on totals, where home is Over.
  home_point double precision,
  away_point double precision,
  -- Of the last push that listed the market.
  observed_at timestamptz NOT NULL,
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (event_id, bookmaker_key, market)
);

-- Change-only, and never dropped: books report every quarter of an hour, and nothing else keeps the history of a match.
CREATE TABLE sport_ticks (
  captured_at timestamptz NOT NULL,
  event_id uuid NOT NULL,
  bookmaker_key text NOT NULL,
  market text NOT NULL,
  home_price double precision,
  draw_price double precision,
  away_price double precision,
  home_point double precision,
  away_point double precision,
  -- The business key: the same push written twice is one tick.
  PRIMARY KEY (event_id, bookmaker_key, market, captured_at)
);
SELECT create_hypertable('sport_ticks', by_range('captured_at', INTERVAL '7 days'), create_default_indexes => false);

-- The last push of each book: one that is not newer changes nothing.
CREATE TABLE sport_pushes (
  bookmaker_key text PRIMARY KEY,
  observed_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL,
  events integer NOT NULL
);
